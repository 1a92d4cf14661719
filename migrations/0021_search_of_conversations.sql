-- Search of what was said: a case-insensitive substring within one tenant. The tenant stands in the index too, so that a word
-- that others say often costs nobody else.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create index chat_messages_words_idx on chat_messages using gin (tenant_id, content gin_trgm_ops);

-- The sessions of the transaction's tenant in which something like the pattern was said. A tenant's own role cannot use the
-- index: row security lets no operator see a row first that could tell of it. The tenant is taken from the transaction, never
-- from an argument.
create function own_sessions_that_say(p_pattern text) returns setof uuid
    language plpgsql stable security definer rows 100 set search_path = pg_catalog, public, pg_temp as $$
begin
    -- Planned for its own pattern.
    return query execute
        'select distinct m.session_id from public.chat_messages m
         where m.tenant_id = public.app_tenant_id() and m.content ilike $1'
        using p_pattern;
end
$$;
revoke execute on function own_sessions_that_say(text) from public;
grant execute on function own_sessions_that_say(text) to svc_tenant;

-- The figures by day, read from the index alone.
create index chat_messages_figures_idx on chat_messages (tenant_id, created_at)
    include (chatbot_id, answered, filtered) where role = 'assistant';
