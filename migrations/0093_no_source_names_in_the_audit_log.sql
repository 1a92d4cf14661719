-- Operators and vendors read the audit log, and names of sources are the tenants' texts: rows say that a source was renamed, not how.
-- The log's index on entity types finds these few rows; the archive is read once.
do $$
declare
    v_table text;
begin
    foreach v_table in array array['platform_audit_log', 'platform_audit_log_archive'] loop
        execute format(
            'update %I set details = case
                 when details #> ''{before,name}'' is not null and details #> ''{after,name}'' is not null then
                     jsonb_set(
                         jsonb_set(details #- ''{before,name}'' #- ''{after,name}'', ''{before,renamed}'', ''false''),
                         ''{after,renamed}'', ''true''
                     )
                 else details #- ''{before,name}'' #- ''{after,name}''
             end
             where entity_type = ''chatbot_source''
               and (details #> ''{before,name}'' is not null or details #> ''{after,name}'' is not null)',
            v_table
        );
    end loop;
end
$$;
