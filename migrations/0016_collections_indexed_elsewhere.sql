-- A collection whose vectors another store indexes has no vector index here: p_dimensions is null then. A collection that
-- stands without one gets it as soon as it is wanted, which is how a platform comes back to the database's own.
create or replace function provision_collection(p_chatbot uuid, p_dimensions integer) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    v_tenant uuid;
    v_name constant text := 'passages_' || replace(p_chatbot::text, '-', '');
    v_stands boolean;
begin
    select tenant_id into v_tenant from public.chatbots where id = p_chatbot;
    if v_tenant is null or v_tenant is distinct from public.app_tenant_id() then
        raise exception 'chatbot % is not of this tenant', p_chatbot using errcode = 'insufficient_privilege';
    end if;
    v_stands := to_regclass(format('public.%I', v_name)) is not null;
    if not v_stands then
        execute format('create table public.%I (like public.passages including defaults)', v_name);
        execute format('alter table public.%I add constraint %I check (chatbot_id = %L and tenant_id = %L)',
            v_name, v_name || '_own_check', p_chatbot, v_tenant);
        execute format('alter table public.%I enable row level security', v_name);
        execute format('alter table public.%I force row level security', v_name);
        execute format('create index %I on public.%I using gin (keywords)', v_name || '_words', v_name);
    end if;
    if p_dimensions is not null and to_regclass(format('public.%I', v_name || '_hnsw')) is null then
        execute format(
            'create index %I on public.%I using hnsw ((embedding::public.vector(%s)) public.vector_cosine_ops)',
            v_name || '_hnsw', v_name, p_dimensions);
    end if;
    if not v_stands then
        execute format('alter table public.passages attach partition public.%I for values in (%L)', v_name, p_chatbot);
    end if;
end
$$;
