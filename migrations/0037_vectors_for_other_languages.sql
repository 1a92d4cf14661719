-- Passages of a chatbot whose own model knows one language have a second vector of the multilingual model, by which questions in
-- other languages find them: 776 bytes for 384 numbers of 16 bits, and about as much in the index.
alter table passages add column second_embedding halfvec;
grant update (second_embedding) on passages to svc_tenant;

alter table chatbots
    -- Whether its tenant wants questions in other languages to be answered.
    add column cross_language boolean not null default true,
    -- The model of the second vectors; null until all passages have one.
    add column second_embedding_model text;
grant update (cross_language, second_embedding_model) on chatbots to svc_tenant;

-- Makes the index of second vectors in the collection of a chatbot of the transaction's tenant, or drops it when p_dimensions is
-- null. Does nothing without a collection, and when nothing is to change. When searches keep it from its lock, the call fails soon
-- and is made again later, so that nobody waits behind it.
create function index_second_vectors(p_chatbot uuid, p_dimensions integer) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '2s' as $$
declare
    v_tenant uuid;
    v_name constant text := 'passages_' || replace(p_chatbot::text, '-', '');
    v_index constant text := v_name || '_second';
    v_stands boolean;
begin
    select tenant_id into v_tenant from public.chatbots where id = p_chatbot;
    if v_tenant is null or v_tenant is distinct from public.app_tenant_id() then
        raise exception 'chatbot % is not of this tenant', p_chatbot using errcode = 'insufficient_privilege';
    end if;
    if to_regclass(format('public.%I', v_name)) is null then
        return;
    end if;
    v_stands := to_regclass(format('public.%I', v_index)) is not null;
    if p_dimensions is not null and not v_stands then
        execute format(
            'create index %I on public.%I using hnsw ((second_embedding::public.halfvec(%s)) public.halfvec_cosine_ops)',
            v_index, v_name, p_dimensions);
    elsif p_dimensions is null and v_stands then
        execute format('drop index public.%I', v_index);
    end if;
end
$$;
revoke execute on function index_second_vectors(uuid, integer) from public;
grant execute on function index_second_vectors(uuid, integer) to svc_tenant;
