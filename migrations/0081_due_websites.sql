-- Missing pages of a website that is paused or could not be read are left to its next sync. The task that looks for due websites
-- must recognise these, so that they do not take the place of others.
grant select (state, is_paused, is_approved) on websites to svc_system;
