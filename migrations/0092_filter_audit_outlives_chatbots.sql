-- Rows of the output-filter audit are the operators' evidence and have no retention: they stay when their chatbot is erased, and
-- when the knowledge of their tenant is. Only their texts go, as when a conversation is erased.
alter table output_filter_audit drop constraint output_filter_audit_chatbot_fkey;

-- The rows that still have texts.
create index output_filter_audit_texts_idx on output_filter_audit (tenant_id, chatbot_id) where full_output <> '[erased]';

-- Stands in for the foreign key when a row is added. An answer that ends after the erasure of its chatbot began leaves no texts.
create function check_output_filter_chatbot() returns trigger
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    v_erased_at timestamptz;
begin
    select erased_at into v_erased_at from public.chatbots
    where tenant_id = new.tenant_id and id = new.chatbot_id
    for key share;
    if not found then
        raise exception 'chatbot % is not one of this tenant', new.chatbot_id using
            errcode = 'foreign_key_violation', table = 'output_filter_audit',
            constraint = 'output_filter_audit_chatbot_fkey';
    end if;
    if v_erased_at is not null then
        new.user_question := '[erased]';
        new.excerpt := '[erased]';
        new.full_output := '[erased]';
    end if;
    return new;
end
$$;
create trigger output_filter_audit_chatbot before insert on output_filter_audit
    for each row execute function check_output_filter_chatbot();

-- Overwrites the texts in at most p_batch rows of the output-filter audit, of one chatbot or of all of a tenant, and tells how many
-- rows these were. For the two functions below only.
create function blank_output_filter_audit(p_tenant uuid, p_chatbot uuid, p_batch integer) returns bigint
    language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    v_rows bigint;
begin
    update public.output_filter_audit
    set user_question = '[erased]', excerpt = '[erased]', full_output = '[erased]'
    where tenant_id = p_tenant and ctid = any (array(
        select ctid from public.output_filter_audit
        where tenant_id = p_tenant and (p_chatbot is null or chatbot_id = p_chatbot) and full_output <> '[erased]'
        limit p_batch
        for update
    ));
    get diagnostics v_rows = row_count;
    return v_rows;
end
$$;

-- Hides a deactivated chatbot of the transaction's tenant for good, frees its slug, and tells how many rows of the output-filter
-- audit it has.
drop function begin_chatbot_erasure(uuid);
create function begin_chatbot_erasure(p_chatbot uuid) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    update public.chatbots set erased_at = now(), slug = 'erased-' || replace(p_chatbot::text, '-', '')
    where id = p_chatbot and tenant_id = public.app_tenant_id() and status = 'deactivated' and erased_at is null;
    if not found then
        raise exception 'chatbot % is not a deactivated one of this tenant', p_chatbot using errcode = 'insufficient_privilege';
    end if;
    return (
        select count(*) from public.output_filter_audit
        where tenant_id = public.app_tenant_id() and chatbot_id = p_chatbot
    );
end
$$;

-- Removes at most p_batch rows of one table that belong to an erased chatbot of the transaction's tenant, or the texts of as many rows
-- of the output-filter audit, and tells how many: 0 when nothing is left but its jobs and its own row. Rows that refer to others go
-- before them. Uploaded files are erased soon after.
create or replace function erase_chatbot_batch(p_chatbot uuid, p_batch integer) returns bigint
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
    v_rows := public.blank_output_filter_audit(v_tenant, p_chatbot, p_batch);
    if v_rows > 0 then
        return v_rows;
    end if;
    foreach v_table in array array[
        'chatbot_feedback', 'chat_messages', 'chat_sessions', 'handled_questions', 'widget_origins',
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

-- Whether rows of the output-filter audit of a tenant have texts.
create function has_output_filter_texts(p_tenant uuid) returns boolean
    language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
    select exists (select from public.output_filter_audit where tenant_id = p_tenant and full_output <> '[erased]')
$$;

-- Overwrites the texts in at most p_batch rows of the output-filter audit of a deleted tenant, and tells how many rows these were.
create policy owner_erases on tenants for select to current_user using (true);
create function erase_output_filter_texts(p_tenant uuid, p_batch integer) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
    perform from public.tenants where id = p_tenant and deleted_at is not null;
    if not found or p_batch is null or p_batch < 1 then
        raise exception 'tenant % is not a deleted one', p_tenant using errcode = 'insufficient_privilege';
    end if;
    return public.blank_output_filter_audit(p_tenant, null, p_batch);
end
$$;

revoke execute on function check_output_filter_chatbot() from public;
revoke execute on function blank_output_filter_audit(uuid, uuid, integer) from public;
revoke execute on function begin_chatbot_erasure(uuid) from public;
revoke execute on function has_output_filter_texts(uuid) from public;
revoke execute on function erase_output_filter_texts(uuid, integer) from public;
grant execute on function begin_chatbot_erasure(uuid) to svc_tenant;
grant execute on function has_output_filter_texts(uuid) to svc_system;
grant execute on function erase_output_filter_texts(uuid, integer) to svc_system;
