-- Names sort as people expect: "again" stands before "UX Bakery". The list of tenants has an index for its usual order.
drop index tenants_display_name_idx;
create index tenants_display_name_idx on tenants (
    translate(lower(display_name), 'áàâäãåçéèêëíìîïñóòôöõúùûüýÿßÁÀÂÄÃÅÇÉÈÊËÍÌÎÏÑÓÒÔÖÕÚÙÛÜÝ', 'aaaaaaceeeeiiiinooooouuuuyysaaaaaaceeeeiiiinooooouuuuy'),
    id
) where deleted_at is null;
