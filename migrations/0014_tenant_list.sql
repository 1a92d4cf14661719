-- The tenant list in its default order, a page at a time.
create index tenants_display_name_idx on tenants (display_name, id) where deleted_at is null;
