-- The page on which a question was asked, without query and fragment; only when its tenant wants that.
alter table chat_messages add column page_url text
    constraint chat_messages_page_url_check check (octet_length(page_url) <= 2000);

alter table tenant_branding add column record_page_urls boolean not null default false;
grant insert (record_page_urls), update (record_page_urls) on tenant_branding to svc_tenant;
