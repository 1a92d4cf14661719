-- A website can also be proven by a TXT record of its host.
alter table websites
    drop constraint websites_proven_by_check,
    add constraint websites_proven_by_check
        check (proven_by in ('snippet', 'meta_tag', 'file', 'dns_txt', 'operator'));
