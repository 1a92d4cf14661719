-- Hashes of the headings, paragraphs and lists of an HTML page. Text that repeats on many pages of a source is left out of
-- passages.
alter table documents add column block_hashes bigint[] not null default '{}';
create index documents_blocks_idx on documents (tenant_id, source_id, id) where block_hashes <> '{}';
