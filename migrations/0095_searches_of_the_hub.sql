-- Searches of the knowledge hub get an id that tells nobody how many searches there are, and statistics about them that do not tell
-- what one person searched.

-- The id that the API shows. The number stays inside the database.
alter table kh_search_history add column public_id uuid not null default gen_random_uuid();
create unique index kh_search_history_public_id_key on kh_search_history (tenant_id, public_id);

-- A search that its user has not added to the history yet: the hash of its words, which stay empty until then. Null for searches of
-- the history.
alter table kh_search_history add column pending_sha256 bytea;

-- Searches of the transaction's tenant in the last four complete weeks (Monday to Sunday, UTC) without a result or without a click.
-- A search counts when at least five people sent it who also searched on days on which they did not send it. The window moves once a
-- week, so that a difference between two replies names no day.
create function knowledge_unmet_searches()
    returns table (query text, searches bigint, without_result bigint, without_click bigint, last_searched_on date)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
    with history as (
        select lower(btrim(h.query)) as query, h.realm, h.user_id, h.result_count, h.clicked_doc_ids,
               (h.searched_at at time zone 'UTC')::date as day
        from public.kh_search_history h
        where h.tenant_id = public.app_tenant_id() and h.pending_sha256 is null
    ), period as (
        select date_trunc('week', now() at time zone 'UTC')::date as until
    ), active as (
        select realm, user_id, count(distinct day) as days from history, period where day < period.until group by realm, user_id
    ), sent as (
        select query, realm, user_id, count(distinct day) as days, max(day) as last_day, count(*) as searches,
               count(*) filter (where result_count = 0) as without_result,
               count(*) filter (where result_count > 0) as without_click
        from history, period
        where day >= period.until - 28 and day < period.until and (result_count = 0 or clicked_doc_ids = '{}')
        group by query, realm, user_id
    )
    select sent.query, sum(sent.searches)::bigint, sum(sent.without_result)::bigint, sum(sent.without_click)::bigint, max(sent.last_day)
    from sent join active on active.realm = sent.realm and active.user_id = sent.user_id and active.days > sent.days
    group by sent.query
    having count(*) >= 5
    order by 3 desc, 2 desc, 1
    limit 100
$$;
revoke execute on function knowledge_unmet_searches() from public;
grant execute on function knowledge_unmet_searches() to svc_tenant;

-- How often the people of the transaction's tenant opened documents of a source from searches of the same weeks, when at least five
-- such people did.
create function knowledge_popular_sources()
    returns table (source_id uuid, opened bigint)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
    with history as (
        select h.realm, h.user_id, h.clicked_doc_ids, (h.searched_at at time zone 'UTC')::date as day
        from public.kh_search_history h
        where h.tenant_id = public.app_tenant_id() and h.pending_sha256 is null
    ), period as (
        select date_trunc('week', now() at time zone 'UTC')::date as until
    ), active as (
        select realm, user_id, count(distinct day) as days from history, period where day < period.until group by realm, user_id
    ), opened as (
        select d.source_id, h.realm, h.user_id, count(distinct h.day) as days, count(*) as times
        from history h
        cross join period
        cross join lateral unnest(h.clicked_doc_ids) clicked (version_id)
        join public.document_versions v on v.tenant_id = public.app_tenant_id() and v.id = clicked.version_id
        join public.documents d on d.tenant_id = v.tenant_id and d.id = v.document_id
        where h.day >= period.until - 28 and h.day < period.until
        group by d.source_id, h.realm, h.user_id
    )
    select opened.source_id, sum(opened.times)::bigint
    from opened join active on active.realm = opened.realm and active.user_id = opened.user_id and active.days > opened.days
    group by opened.source_id
    having count(*) >= 5
$$;
revoke execute on function knowledge_popular_sources() from public;
grant execute on function knowledge_popular_sources() to svc_tenant;

-- Processes of the previous version, which run until they are replaced, get no statistics.
create or replace function knowledge_insights(p_days integer)
    returns table (query text, searches bigint, people bigint, without_result bigint, without_click bigint, last_searched_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
    select ''::text, 0::bigint, 0::bigint, 0::bigint, 0::bigint, now() where false
$$;
create or replace function knowledge_opened_sources(p_days integer)
    returns table (source_id uuid, opened bigint)
    language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
    select null::uuid, 0::bigint where false
$$;
