-- Pictures that tenants uploaded for their brandings. Their names have the sum of their bytes: what a name stands for never changes.
create table branding_pictures (
    tenant_id uuid not null constraint branding_pictures_tenant_id_fkey references tenants (id),
    name text not null constraint branding_pictures_name_check check (name ~ '^[0-9a-f]{64}\.(png|jpg)$'),
    bytes bytea not null constraint branding_pictures_bytes_check check (octet_length(bytes) <= 1048576),
    created_at timestamptz not null default now(),
    constraint branding_pictures_pkey primary key (tenant_id, name)
);
create index branding_pictures_name_idx on branding_pictures (name);
call protect_tenant_table('branding_pictures');
grant select on branding_pictures to svc_tenant, svc_system;
grant insert, delete on branding_pictures to svc_tenant;
