with tables as (
    select c.oid, c.relname::text as name
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S') and not c.relispartition
      and c.relname <> '_sqlx_migrations'
      and c.relkind <> 'S'
), pairs as (
    select t.*, r.rolname::text as role, v.verb, v.place
    from tables t
    cross join pg_roles r
    cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger'])
        with ordinality as v (verb, place)
    where r.rolname like 'svc\_%'
), granted as (
    select p.*,
        case
            when has_table_privilege(p.role, p.oid, p.verb) then p.verb
            when p.verb in ('select', 'insert', 'update', 'references') then (
                select p.verb || '(' || string_agg(a.attname, ',' order by a.attname) || ')'
                from pg_attribute a
                where a.attrelid = p.oid and a.attnum > 0 and not a.attisdropped
                  and has_column_privilege(p.role, p.oid, a.attnum, p.verb)
            )
        end as words,
        exists (
            select from pg_policies y
            where y.schemaname = 'public' and y.tablename = p.name and p.role = any (y.roles)
              and lower(y.cmd) in ('all', p.verb)
        ) and p.verb in ('select', 'insert', 'update', 'delete') as admitted
    from pairs p
), lines as (
    select name, role, string_agg(words, ' ' order by place) as words,
        string_agg(verb, ' ' order by place) filter (where admitted) as verbs
    from granted
    group by name, role
)
select name || ' ' || role || coalesce(' ' || words, '') || coalesce(' | ' || verbs, '') from lines
where words is not null or verbs is not null
union all
select p.proname || '() ' || r.rolname || ' execute'
from pg_proc p cross join pg_roles r
where p.pronamespace = 'public'::regnamespace and p.prosecdef and r.rolname like 'svc\_%'
  and has_function_privilege(r.rolname, p.oid, 'execute')
order by 1
