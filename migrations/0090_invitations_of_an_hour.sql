-- The invitations of a tenant in the last hour, which are counted before another one is sent.
create index people_changes_invited_idx on people_changes (tenant_id, begun_at) where action = 'user.invited';

-- The search of conversations has used the form with a bound since version 2.0.0. The function itself stays for one release.
revoke execute on function own_sessions_that_say(text) from svc_tenant;
