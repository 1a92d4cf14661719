-- An operator who changes a tenant's branding removes the pictures that nothing shows any more, as the tenant itself does.
grant select, delete on branding_pictures to svc_operator;
