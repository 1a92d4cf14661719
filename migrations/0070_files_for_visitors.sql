-- Visitors may open the uploaded files of a source when its tenant says so. The key signs the links to them: without one there are
-- none, and those that were made before are worth nothing.
alter table chatbot_sources
    add column file_key bytea constraint chatbot_sources_file_key_check check (octet_length(file_key) = 32);
grant select (id, tenant_id, chatbot_id, source_id, external_id, file_type, content_hash, original_id) on uploads to svc_widget;
