//! Tenants through the REST API.

use serde_json::json;

use crate::support::Platform;

#[tokio::test]
async fn a_tenant_is_created_listed_changed_and_deleted() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    let created =
        operator.post("/api/v1/platform/tenants", &json!({ "slug": "harbor", "display_name": " Harbor " })).await;
    assert_eq!(created.status, 201);
    let path = created.header("location").unwrap().to_owned();
    assert_eq!(created.body["display_name"], "Harbor");
    assert_eq!(created.body["enabled_modules"], json!(["chatbots", "branding"]));
    assert_eq!(operator.get(&path).await.body, created.body);
    let changed = operator.patch(&path, &json!({ "display_name": "Harbor Supply", "unknown": 1 })).await;
    assert_eq!((changed.status, &changed.body["display_name"]), (200, &json!("Harbor Supply")));
    assert_eq!(operator.delete(&path).await.status, 204);
    let response = operator.get(&path).await;
    assert_eq!((response.status, response.detail()), (404, "tenant_not_found"));
    assert_eq!(operator.delete(&path).await.status, 404);
    assert_eq!(operator.get("/api/v1/platform/tenants").await.body["total"], 0);
}

#[tokio::test]
async fn a_slug_is_unique_among_live_tenants_only() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    let body = json!({ "slug": "harbor", "display_name": "Harbor" });
    let first = operator.post("/api/v1/platform/tenants", &body).await;
    let second = operator.post("/api/v1/platform/tenants", &body).await;
    assert_eq!((second.status, second.detail()), (409, "tenant_slug_taken"));
    operator.delete(first.header("location").unwrap()).await;
    assert_eq!(operator.post("/api/v1/platform/tenants", &body).await.status, 201);
}

#[tokio::test]
async fn the_list_is_searched_sorted_and_paged() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    for name in ["Alpha", "Beta", "Gamma 100%"] {
        let body =
            json!({ "slug": name.to_lowercase().replace([' ', '%'], "-").trim_end_matches('-'), "display_name": name });
        assert_eq!(operator.post("/api/v1/platform/tenants", &body).await.status, 201, "{body}");
    }
    let names = async |query: &str| {
        let answer = operator.get(&format!("/api/v1/platform/tenants?{query}")).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text);
        let items = answer.body["items"].as_array().unwrap();
        items.iter().map(|item| item["display_name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("sort=-slug").await, ["Gamma 100%", "Beta", "Alpha"]);
    assert_eq!(names("q=ET").await, ["Beta"]);
    assert_eq!(names("q=100%25").await, ["Gamma 100%"]);
    assert_eq!(names("q=%25%25").await, Vec::<String>::new());
    assert_eq!(names("limit=1&offset=1&sort=display_name").await, ["Beta"]);
    for (query, field) in [
        ("limit=0", "limit"),
        ("limit=201", "limit"),
        ("offset=-1", "offset"),
        ("sort=password", "sort"),
        ("limit=x", "limit"),
    ] {
        let answer = operator.get(&format!("/api/v1/platform/tenants?{query}")).await;
        assert_eq!((answer.status, answer.loc().last().copied()), (422, Some(field)), "{query}: {}", answer.text);
    }
}

#[tokio::test]
async fn names_sort_whatever_their_case_and_accents() {
    let platform = Platform::start().await;
    let operator = platform.operator();
    for (slug, name) in [("zebra", "zebra"), ("aehre", "Ähre"), ("apfel", "apfel"), ("birne", "Birne")] {
        let body = json!({ "slug": slug, "display_name": name });
        assert_eq!(operator.post("/api/v1/platform/tenants", &body).await.status, 201, "{body}");
    }
    for (sort, names) in
        [("display_name", ["Ähre", "apfel", "Birne", "zebra"]), ("-display_name", ["zebra", "Birne", "apfel", "Ähre"])]
    {
        let page = operator.get(&format!("/api/v1/platform/tenants?sort={sort}")).await;
        let items = page.body["items"].as_array().unwrap();
        let listed_names: Vec<_> = items.iter().map(|item| item["display_name"].as_str().unwrap()).collect();
        assert_eq!(listed_names, names, "{sort}");
    }
}

/// The slugs of a page as plain SQL finds them.
async fn expected(platform: &Platform, q: &str, sort: &str, (limit, offset): (i64, i64)) -> Vec<String> {
    let (field, direction) = sort.strip_prefix('-').map_or((sort, "asc"), |field| (field, "desc"));
    let sql = format!(
        "select slug from tenants where deleted_at is null and (strpos(slug, $1) > 0 or strpos(lower(display_name), $1) > 0)
         order by {field} {direction}, id {direction} limit $2 offset $3"
    );
    let query = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(q).bind(limit).bind(offset);
    query.fetch_all(platform.everything()).await.unwrap()
}

#[tokio::test]
async fn the_list_shows_each_tenant_as_it_is_shown_alone() {
    let platform = Platform::start().await;
    sqlx::raw_sql(
        "insert into modules (id, name, description, category, is_always_on, internal_only, position) values
             ('a-first', 'First', '', 'x', false, false, 0), ('z-same', 'Same place', '', 'x', true, false, 0);
         insert into tenants (id, slug, display_name, default_language, created_at, updated_at, deleted_at)
         select gen_random_uuid(), 'tenant-' || i, 'Name ' || (i * 7 % 10), 'en', now() - i % 4 * interval '1 hour',
                now() - i % 5 * interval '1 minute', case when i % 9 = 0 then now() end
         from generate_series(1, 40) i;
         insert into tenant_modules (tenant_id, module_id)
         select t.id, m.id from tenants t, modules m
         where t.slug !~ '3$' and hashtextextended(t.slug || m.id, 0) % 3 = 0 or t.slug ~ '7$';",
    )
    .execute(platform.everything())
    .await
    .unwrap();
    let operator = platform.operator();
    let mut alone = std::collections::BTreeMap::new();
    for (sort, q) in ["slug", "display_name", "created_at", "updated_at"]
        .iter()
        .flat_map(|field| [(*field).to_owned(), format!("-{field}")])
        .flat_map(|sort| ["", "3", "name 1", "none"].map(|q| (sort.clone(), q)))
    {
        let all = expected(&platform, q, &sort, (1000, 0)).await;
        for (limit, offset) in [(200, 0), (7, 0), (7, 7), (7, 35), (7, 70)] {
            let query = format!("sort={sort}&q={q}&limit={limit}&offset={offset}");
            let answer = operator.get(&format!("/api/v1/platform/tenants?{query}")).await;
            assert_eq!((answer.status, &answer.body["total"]), (200, &json!(all.len())), "{query}");
            let items = answer.body["items"].as_array().unwrap();
            let slugs: Vec<_> = items.iter().map(|item| item["slug"].as_str().unwrap()).collect();
            assert_eq!(slugs, expected(&platform, q, &sort, (limit, offset)).await, "{query}");
            for item in items {
                let id = item["id"].as_str().unwrap().to_owned();
                if !alone.contains_key(&id) {
                    let tenant = operator.get(&format!("/api/v1/platform/tenants/{id}")).await;
                    alone.insert(id.clone(), tenant.text);
                }
                assert!(answer.text.contains(&alone[&id]), "{query}: {} is not in {}", alone[&id], answer.text);
            }
        }
    }
    assert_eq!(alone.len(), 36);
}

#[tokio::test]
async fn the_own_tenant_is_shown_and_operators_name_one() {
    let (platform, one, _) = Platform::with_tenants().await;
    assert_eq!(platform.viewer(one.id).get("/api/v1/tenants/me").await.body["slug"], "one");
    let unnamed = platform.operator().get("/api/v1/tenants/me").await;
    assert_eq!((unnamed.status, unnamed.loc()), (422, vec!["query", "tenant_id"]));
    let tenant = platform.vendor().get(&format!("/api/v1/tenants/me?tenant_id={}", one.id)).await;
    assert_eq!(tenant.body["slug"], "one");
}
