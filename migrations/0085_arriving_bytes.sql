-- A file that is still arriving takes part of its tenant's quota: as many bytes as are reserved for it here. As soon as an upload
-- refers to it, the bytes of the upload count instead.
alter table originals
    add column arriving_bytes bigint not null default 0 constraint originals_arriving_bytes_check check (arriving_bytes >= 0);
grant update (arriving_bytes) on originals to svc_tenant;
-- The length of a file that a visitor opens is known without reading the file.
grant select (bytes) on uploads to svc_widget;
