-- The list of the output filter's events with its numbers: one category newest first, and counts that read no texts.
create index output_filter_audit_category_idx on output_filter_audit (category, created_at, id);
create index output_filter_audit_counts_idx on output_filter_audit (created_at) include (tenant_id, category);
