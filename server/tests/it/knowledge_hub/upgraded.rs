//! Databases with rows from before a migration of the hub.

use crate::support::Database;

#[tokio::test]
async fn the_upgrade_switches_off_self_service_modules() {
    let rows = r#"
        insert into tenants (id, slug, display_name, default_language)
        select gen_random_uuid(), slug, slug, 'en'
        from unnest(array['tenant', 'operator', 'tenant-last', 'operator-last', 'archived', 'bulk', 'unlogged']) slug;
        insert into tenant_modules (tenant_id, module_id) select id, 'knowledge_hub' from tenants;
        insert into platform_audit_log (id, occurred_at, actor_role, actor_user, tenant_id, action, entity_type, entity_id)
        select gen_random_uuid(), l.at::timestamptz, l.role, 'x', t.id, 'tenant_module.activated', 'tenant_module', l.module
        from tenants t, (values
            ('tenant', '2026-01-01', 'tenant', 'knowledge_hub'),
            ('tenant', '2026-01-02', 'operator', 'analytics'),
            ('operator', '2026-01-01', 'operator', 'knowledge_hub'),
            ('operator', '2026-01-02', 'tenant', 'analytics'),
            ('tenant-last', '2026-01-01', 'operator', 'knowledge_hub'),
            ('tenant-last', '2026-01-02', 'tenant', 'knowledge_hub'),
            ('operator-last', '2026-01-01', 'tenant', 'knowledge_hub'),
            ('operator-last', '2026-01-02', 'operator', 'knowledge_hub'),
            ('bulk', '2026-01-01', 'tenant', 'knowledge_hub')) l (slug, at, role, module)
        where t.slug = l.slug;
        insert into platform_audit_log_archive (id, occurred_at, actor_role, actor_user, tenant_id, action, entity_type, entity_id)
        select gen_random_uuid(), '2023-01-01', 'tenant', 'x', id, 'tenant_module.activated', 'tenant_module', 'knowledge_hub'
        from tenants where slug = 'archived';
        insert into platform_audit_log (id, occurred_at, actor_role, actor_user, tenant_id, action, entity_type, entity_id, details)
        select gen_random_uuid(), '2026-01-02', 'operator', 'x', id, 'tenant_module.bulk_assigned', 'tenant', id::text,
               '{"after": {"module_ids": ["feedback", "knowledge_hub"]}}'
        from tenants where slug = 'bulk';"#;
    let db = Database::upgraded_from(41, rows).await;
    let mut hub: Vec<String> = sqlx::query_scalar(
        "select t.slug from tenant_modules m join tenants t on t.id = m.tenant_id where m.module_id = 'knowledge_hub'",
    )
    .fetch_all(&db.superuser)
    .await
    .unwrap();
    hub.sort_unstable();
    assert_eq!(hub, ["bulk", "operator", "operator-last", "unlogged"]);
}

#[tokio::test]
async fn the_upgrade_takes_what_was_seen_from_the_history() {
    let rows = "
        insert into tenants (id, slug, display_name, default_language)
        values ('00000000-0000-7000-8000-000000000001', 'one', 'One', 'en');
        insert into kh_saved_searches (id, tenant_id, realm, user_id, name, query, created_at)
        select gen_random_uuid(), id, 'svc-tenants', u, 'x', q, '2026-01-02'
        from tenants, (values ('anna', 'Parcel'), ('anna', 'letter'), ('ben', 'parcel')) s (u, q);
        insert into kh_search_history (tenant_id, realm, user_id, query, result_count, searched_at)
        select id, 'svc-tenants', 'anna', q, 1, at::timestamptz
        from tenants, (values ('parcel', '2026-01-03'), ('parcel', '2026-01-04'), ('letter', '2026-01-01')) h (q, at);";
    let db = Database::upgraded_from(78, rows).await;
    let seen_searches: Vec<(String, String, Option<String>)> = sqlx::query_as(
        "select user_id, query, to_char(seen_at, 'YYYY-MM-DD') from kh_saved_searches order by user_id, query desc",
    )
    .fetch_all(&db.superuser)
    .await
    .unwrap();
    let of = |user: &str, query: &str, day: Option<&str>| (user.to_owned(), query.to_owned(), day.map(str::to_owned));
    assert_eq!(seen_searches.len(), 3);
    for row in [of("anna", "Parcel", Some("2026-01-04")), of("anna", "letter", None), of("ben", "parcel", None)] {
        assert!(seen_searches.contains(&row), "{seen_searches:?}");
    }
}
