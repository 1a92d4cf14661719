-- The end of conversations: sessions that were silent for long, and sessions that somebody wants erased. No runtime role
-- may delete a message by hand; two functions of the owner do exactly these two things.

-- The owner may be no superuser, and row security is forced on these tables.
create policy owner_ends on chat_sessions to current_user using (true) with check (true);
create policy owner_ends on chat_messages to current_user using (true) with check (true);
create policy owner_ends on chatbot_feedback to current_user using (true) with check (true);
create policy owner_ends on output_filter_audit to current_user using (true) with check (true);

create index chat_sessions_silent_idx on chat_sessions (last_message_at, id);
-- What the foreign keys of feedback, and an erasure, look for.
create index chatbot_feedback_session_idx on chatbot_feedback (tenant_id, chatbot_id, session_id)
    where session_id is not null;
create index chatbot_feedback_message_idx on chatbot_feedback (tenant_id, chatbot_id, message_id)
    where message_id is not null;
create index output_filter_audit_session_idx on output_filter_audit (tenant_id, chatbot_id, session_id)
    where session_id is not null;

-- Removes at most p_batch sessions that were silent for more than p_days, longest silent first, with their messages, and
-- tells how many. Feedback stays, without session and message. Sessions that are in use by another transaction are left.
create function expire_chat_sessions(p_days integer, p_batch integer) returns bigint
    language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    v_sessions uuid[];
begin
    if p_days is null or p_days < 1 or p_batch is null or p_batch < 1 then
        raise exception 'days and batch are at least 1' using errcode = 'invalid_parameter_value';
    end if;
    select array_agg(s.id) into v_sessions
    from (
        select id from public.chat_sessions
        where last_message_at < now() - make_interval(days => p_days)
        order by last_message_at, id
        limit p_batch
        for update skip locked
    ) s;
    if v_sessions is null then
        return 0;
    end if;
    perform public.end_chat_sessions(v_sessions, false);
    return cardinality(v_sessions);
end
$$;

-- Removes sessions that the transaction has locked, and their messages; takes the session, the message and, if p_comments,
-- the words out of their feedback. For the two functions beside it only.
create function end_chat_sessions(
    p_sessions uuid[], p_comments boolean, out messages bigint, out feedback bigint
) language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
    v_tenants uuid[];
begin
    select array_agg(distinct tenant_id) into v_tenants from public.chat_sessions where id = any (p_sessions);
    -- Feedback that is being given holds its message; wait for it, so that the next statement sees it.
    perform from public.chat_messages where tenant_id = any (v_tenants) and session_id = any (p_sessions) for update;
    update public.chatbot_feedback f
    set session_id = null, message_id = null, comment = case when p_comments then null else f.comment end
    where f.id in (
        select g.id from public.chat_sessions s
        join public.chatbot_feedback g
            on g.tenant_id = s.tenant_id and g.chatbot_id = s.chatbot_id and g.session_id = s.id
        where s.id = any (p_sessions)
        union all
        select g.id from public.chat_messages m
        join public.chatbot_feedback g
            on g.tenant_id = m.tenant_id and g.chatbot_id = m.chatbot_id and g.message_id = m.id
        where m.tenant_id = any (v_tenants) and m.session_id = any (p_sessions)
    );
    get diagnostics feedback = row_count;
    delete from public.chat_messages where tenant_id = any (v_tenants) and session_id = any (p_sessions);
    get diagnostics messages = row_count;
    delete from public.chat_sessions where id = any (p_sessions);
end
$$;

-- Erases one session of a chatbot: its messages, what visitors wrote in its feedback, and the texts in its rows of the
-- output-filter audit, which stay. Tells how many of each there were; known is false when there was nothing at all.
create function erase_chat_session(
    p_tenant uuid, p_chatbot uuid, p_session uuid,
    out known boolean, out messages bigint, out feedback bigint, out filter_rows bigint
) language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
    v_stands boolean;
begin
    perform from public.chat_sessions
    where tenant_id = p_tenant and chatbot_id = p_chatbot and id = p_session
    for update;
    v_stands := found;
    messages := 0;
    feedback := 0;
    if v_stands then
        select e.messages, e.feedback into messages, feedback from public.end_chat_sessions(array[p_session], true) e;
    end if;
    update public.output_filter_audit
    set user_question = '[erased]', excerpt = '[erased]', full_output = '[erased]'
    where tenant_id = p_tenant and chatbot_id = p_chatbot and session_id = p_session;
    get diagnostics filter_rows = row_count;
    known := v_stands or filter_rows > 0;
end
$$;

revoke execute on function expire_chat_sessions(integer, integer) from public;
revoke execute on function end_chat_sessions(uuid[], boolean) from public;
revoke execute on function erase_chat_session(uuid, uuid, uuid) from public;
grant execute on function expire_chat_sessions(integer, integer) to svc_system;
grant execute on function erase_chat_session(uuid, uuid, uuid) to svc_operator;
