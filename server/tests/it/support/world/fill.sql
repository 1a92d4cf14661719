insert into tenant_modules (tenant_id, module_id) values ('{tenant}', 'feedback');
insert into chatbot_branding (tenant_id, chatbot_id, fields)
values ('{tenant}', '{chatbot}', '{"header_title": "Help"}');
insert into branding_pictures (tenant_id, name, bytes) values ('{tenant}', repeat('0a', 32) || '.png', 'x');
insert into chatbot_feedback (id, tenant_id, chatbot_id, session_id, message_id, rating, category, comment)
values ('{feedback}', '{tenant}', '{chatbot}', '{session}', '{message}', 'down', 'other', 'Hm.');
insert into widget_origins (tenant_id, chatbot_id, origin, day, outcome, requests, last_seen_at, widget_version)
values ('{tenant}', '{chatbot}', 'https://shop.example.com', (now() at time zone 'UTC')::date, 'accepted', 1, now(), '1.0.0');
update chatbot_feedback set handled_at = now(), handled_by = 'x' where id = '{feedback}';
update chat_messages set answered = false where id = '{message}';
insert into handled_questions (tenant_id, chatbot_id, question_key, handled_by)
select '{tenant}', '{chatbot}', question_key('When does the shop open?'), 'x';
insert into chatbot_faq (id, tenant_id, chatbot_id, question, answer, state, created_by)
values ('{faq}', '{tenant}', '{chatbot}', 'Who?', 'We.', 'ready', 'x');
insert into kept_passages (id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding)
select id, tenant_id, chatbot_id, document_id, ordinal, heading, content, embedding
from passages where tenant_id = '{tenant}' and chatbot_id = '{chatbot}' limit 1;
insert into next_vectors (tenant_id, chatbot_id, passage_id, next_id, embedding)
select tenant_id, chatbot_id, id, gen_random_uuid(), embedding
from passages where tenant_id = '{tenant}' and chatbot_id = '{chatbot}' limit 1;
insert into output_filter_audit (id, tenant_id, chatbot_id, session_id, user_question, matched_pattern, category,
                                 filter_layer, language, excerpt, full_output)
values (gen_random_uuid(), '{tenant}', '{chatbot}', '{session}', 'q', 'p', 'pii', 'inline', 'en', 'e', 'o');
insert into output_filter_watched (tenant_id, chatbot_id, day, rule, category, matches)
values ('{tenant}', '{chatbot}', (now() at time zone 'UTC')::date, 'p', 'pii', 1);
insert into model_usage (tenant_id, chatbot_id, month, answers, prompt_tokens, cached_tokens, answer_tokens)
values ('{tenant}', '{chatbot}', date_trunc('month', now() at time zone 'UTC')::date, 1, 1, 1, 1);
insert into usage_days (tenant_id, day, questions) values ('{tenant}', (now() at time zone 'UTC')::date, 1)
on conflict do nothing;
insert into stored_days (tenant_id, day, documents, bytes, passages, pages, chatbots)
values ('{tenant}', (now() at time zone 'UTC')::date - 1, 1, 2, 3, 4, 5);
insert into platform_audit_log (id, actor_role, actor_user, tenant_id, chatbot_id, action, entity_type, entity_id,
                                ip_address, session_id, details)
values (gen_random_uuid(), 'anonymous', 'widget', '{tenant}', '{chatbot}', 'chatbot_feedback.created',
        'chatbot_feedback', '{feedback}', '192.0.2.1', '{session}', '{}');
insert into platform_audit_log_archive (id, actor_role, actor_user, actor_idp_id, tenant_id, action, entity_type,
                                        entity_id, ip_address, session_id)
values (gen_random_uuid(), 'tenant', 'x', 'x', '{tenant}', 'chatbot.updated', 'chatbot', 'x', 'x', 'x');
insert into user_preferences (realm, username) values ('svc-tenants', '{slug}-user');
insert into vendor_access_log (event_key, occurred_at, event_type, username, client_id)
values ('{slug}', now(), 'LOGIN', 'victor', 'svc-api');
insert into vendor_accounts (username) values ('{slug}-vendor');
insert into operator_accounts (username) values ('{slug}-operator');
insert into platform_audit_log (id, actor_role, actor_user, tenant_id, chatbot_id, action, entity_type, entity_id)
select gen_random_uuid(), role, '{slug}-user', '{tenant}', '{chatbot}', 'chatbot.updated', 'chatbot', '{chatbot}'
from unnest(array['operator', 'vendor', 'tenant']) role;
insert into platform_audit_log (id, actor_role, actor_user, tenant_id, chatbot_id, action, entity_type, entity_id)
values (gen_random_uuid(), 'vendor', 'victor', '{tenant}', '{chatbot}', 'chatbot.updated', 'chatbot', '{chatbot}');
update chatbot_sources set file_key = decode(repeat('6b', 32), 'hex') where tenant_id = '{tenant}' and kind = 'upload';
insert into websites (source_id, tenant_id, chatbot_id, url, include, exclude, max_pages, max_depth, schedule, token, detail,
                      requested_by, origin, robots, missing_hash)
values ('{source}', '{tenant}', '{chatbot}', 'https://x', '{/a}', '{/b}', 10, 2, 'manual', 'x', 'x', 'x', 'x', 'x', 'x');
insert into website_pages (id, tenant_id, chatbot_id, source_id, url, depth, detail, title, etag, last_modified, content_hash)
values (gen_random_uuid(), '{tenant}', '{chatbot}', '{source}', 'https://x/', 0, 'x', 'x', 'x', 'x', 'x');
insert into website_bodies (page_id, tenant_id, chatbot_id, file_type, body)
select id, tenant_id, chatbot_id, 'html', 'x' from website_pages where tenant_id = '{tenant}';
insert into allowed_hosts (tenant_id, host, allowed_by) values ('{tenant}', 'allowed.example', 'olivia');
insert into tenant_modules (tenant_id, module_id) values ('{tenant}', 'knowledge_hub');
insert into kh_bookmarks (id, tenant_id, realm, user_id, document_id, title, note)
select case when u = 'tenant-admin' then '{bookmark}'::uuid else gen_random_uuid() end, '{tenant}', 'svc-tenants', u, v.id, v.title, 'x'
from unnest(array['{slug}-user', 'tenant-admin', 'tenant-viewer']) u,
     (select v.id, v.title from document_versions v join documents d on d.id = v.document_id
      where v.tenant_id = '{tenant}' and d.source_id <> '{source}' limit 1) v;
insert into kh_search_history (tenant_id, realm, user_id, query, result_count, searched_at)
select '{tenant}', 'svc-tenants', u, 'parcel', 0, '2020-01-02'
from unnest(array['{slug}-user', 'tenant-admin', 'tenant-viewer']) u;
insert into kh_saved_searches (id, tenant_id, realm, user_id, name, query, created_at)
select case when u = 'tenant-admin' then '{saved_search}'::uuid else gen_random_uuid() end, '{tenant}', 'svc-tenants', u, 'x', 'parcel',
       '2020-01-01'
from unnest(array['{slug}-user', 'tenant-admin', 'tenant-viewer']) u;
insert into kh_usage (tenant_id, day, searches, without_result, opened) values ('{tenant}', '2020-01-02', 3, 3, 0);
insert into kh_document_summaries (document_id, tenant_id, summary, language, model_version)
select id, tenant_id, 'x', 'en', 'x' from document_versions where tenant_id = '{tenant}';
insert into kh_summary_leases (tenant_id, document_id, holder, held_until)
select tenant_id, id, gen_random_uuid(), '2020-01-02' from document_versions where tenant_id = '{tenant}';

insert into people_changes (id, tenant_id, action, username, wanted, before, actor_role, actor_realm, actor_user, ip_address,
                            session_id, outcome, settled_at)
values (gen_random_uuid(), '{tenant}', 'user.updated', 'anna', '{}', '{}', 'tenant', 'svc-tenants', 'anna', '192.0.2.1', 's',
        'done', now());
insert into people_endings (tenant_id, actor_realm, actor_user, ip_address, session_id)
values ('{tenant}', 'svc-platform', 'olivia', '192.0.2.1', 's');
insert into idempotency_keys (tenant_id, principal_sha256, key_sha256, request_sha256)
select t, sha256('{slug}'), sha256('k'), sha256('x') from unnest(array['{tenant}'::uuid, null]) t;
insert into people_locks (tenant_id) values ('{tenant}');
insert into people_activity (tenant_id, realm, username, last_active_at) values ('{tenant}', 'svc-tenants', 'anna', now());
insert into retired_usernames (username_hash) values ('{slug}');
insert into api_keys (id, tenant_id, name, prefix, hash, scopes, created_by)
values ('{api_key}', '{tenant}', 'Shop', left(md5('{tenant}'), 8), decode(repeat('00', 32), 'hex'), '{ask}', '{slug}-user');
