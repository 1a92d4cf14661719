-- What the people of a deleted tenant kept in the knowledge hub is erased with the tenant's knowledge, without being read.
create policy system_erasure on kh_bookmarks to svc_system using (true) with check (true);
create policy system_erasure on kh_saved_searches to svc_system using (true) with check (true);
grant select (tenant_id), delete on kh_bookmarks, kh_saved_searches to svc_system;
grant select (tenant_id) on kh_search_history to svc_system;
