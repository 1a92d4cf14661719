-- The end of a chatbot: a tenant's administrator erases one that is deactivated, with all that it knew and was asked. From then on
-- no runtime role sees it; a job removes its rows, so that a large chatbot holds up nobody.
alter table chatbots add column erased_at timestamptz;
create policy not_erased on chatbots as restrictive to svc_operator, svc_vendor, svc_tenant, svc_widget, svc_system
    using (erased_at is null);

-- The owner may be no superuser, and row security is forced on these tables.
do $$
declare
    v_table text;
begin
    foreach v_table in array array[
        'chatbots', 'chatbot_branding', 'chatbot_faq', 'chatbot_sources', 'document_versions', 'documents', 'handled_questions', 'jobs',
        'kept_passages', 'model_usage', 'next_vectors', 'originals', 'output_filter_watched', 'passages', 'uploads', 'website_bodies',
        'website_pages', 'websites', 'widget_origins'
    ] loop
        execute format('create policy owner_erases on %I to current_user using (true) with check (true)', v_table);
    end loop;
end
$$;

-- Hides a deactivated chatbot of the transaction's tenant for good, and frees its slug.
create function begin_chatbot_erasure(p_chatbot uuid) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    update public.chatbots set erased_at = now(), slug = 'erased-' || replace(p_chatbot::text, '-', '')
    where id = p_chatbot and tenant_id = public.app_tenant_id() and status = 'deactivated' and erased_at is null;
    if not found then
        raise exception 'chatbot % is not a deactivated one of this tenant', p_chatbot using errcode = 'insufficient_privilege';
    end if;
end
$$;

-- Removes at most p_batch rows of one table that belong to an erased chatbot of the transaction's tenant, and tells how many: 0 when
-- nothing is left but its jobs and its own row. Rows that refer to others go before them. Uploaded files are erased soon after.
create function erase_chatbot_batch(p_chatbot uuid, p_batch integer) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    v_tenant constant uuid := public.app_tenant_id();
    v_table text;
    v_rows bigint;
begin
    perform from public.chatbots where id = p_chatbot and tenant_id = v_tenant and erased_at is not null;
    if not found or p_batch is null or p_batch < 1 then
        raise exception 'chatbot % is not an erased one of this tenant', p_chatbot using errcode = 'insufficient_privilege';
    end if;
    foreach v_table in array array[
        'output_filter_audit', 'chatbot_feedback', 'chat_messages', 'chat_sessions', 'handled_questions', 'widget_origins',
        'output_filter_watched', 'model_usage', 'next_vectors', 'kept_passages', 'passages', 'document_versions', 'documents',
        'website_bodies', 'website_pages', 'websites', 'uploads', 'chatbot_faq', 'chatbot_sources', 'chatbot_branding'
    ] loop
        if v_table = 'uploads' then
            update public.originals o set erase_after = now() from public.uploads u
            where u.tenant_id = v_tenant and u.chatbot_id = p_chatbot and o.tenant_id = v_tenant and o.id = u.original_id;
            -- All at once: an original is not erased while an upload refers to it.
            delete from public.uploads where tenant_id = v_tenant and chatbot_id = p_chatbot;
        else
            execute format(
                'delete from public.%1$I
                 where tenant_id = $1 and chatbot_id = $2 and ctid = any (array(
                     select ctid from public.%1$I where tenant_id = $1 and chatbot_id = $2 limit $3
                 ))', v_table)
            using v_tenant, p_chatbot, p_batch;
        end if;
        get diagnostics v_rows = row_count;
        if v_rows > 0 then
            return v_rows;
        end if;
    end loop;
    return 0;
end
$$;

-- Removes an erased chatbot of the transaction's tenant of which erase_chatbot_batch left nothing else, with its jobs.
create function end_chatbot_erasure(p_chatbot uuid) returns void
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    v_tenant constant uuid := public.app_tenant_id();
begin
    perform from public.chatbots where id = p_chatbot and tenant_id = v_tenant and erased_at is not null for update;
    if not found then
        raise exception 'chatbot % is not an erased one of this tenant', p_chatbot using errcode = 'insufficient_privilege';
    end if;
    delete from public.jobs where tenant_id = v_tenant and chatbot_id = p_chatbot;
    delete from public.chatbots where id = p_chatbot;
end
$$;

revoke execute on function begin_chatbot_erasure(uuid) from public;
revoke execute on function erase_chatbot_batch(uuid, integer) from public;
revoke execute on function end_chatbot_erasure(uuid) from public;
grant execute on function begin_chatbot_erasure(uuid) to svc_tenant;
grant execute on function erase_chatbot_batch(uuid, integer) to svc_tenant;
grant execute on function end_chatbot_erasure(uuid) to svc_tenant;
