-- When the results of a saved search were last shown to its user; null until then. The history no longer tells it: it has no filters,
-- and it is cleared and expires.
alter table kh_saved_searches add column seen_at timestamptz;
grant update (seen_at) on kh_saved_searches to svc_tenant;

-- The owner may be no superuser, and must see every row here.
alter table kh_saved_searches no force row level security;
update kh_saved_searches s
set seen_at = (
    select max(h.searched_at)
    from kh_search_history h
    where h.tenant_id = s.tenant_id and h.realm = s.realm and h.user_id = s.user_id
      and lower(h.query) = lower(s.query) and h.searched_at > s.created_at
);
alter table kh_saved_searches force row level security;
