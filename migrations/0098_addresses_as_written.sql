-- Pages are requested at their addresses as written. The key is the same for all addresses of a page: its parameters are
-- sorted and encoded in one way. Pages that were found before have none.
alter table website_pages
    add column url_key text,
    -- The page that it names as the original without reason.
    add column ignored_canonical text;
create index website_pages_source_url_key_idx on website_pages (tenant_id, source_id, url_key);
grant update (ignored_canonical) on website_pages to svc_tenant;
