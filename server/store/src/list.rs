//! Shared parts of lists: search patterns and sort orders.

use contract::page::PageQuery;

/// The pattern for `ilike` that finds `q` anywhere; `%` when there is no search.
pub(crate) fn pattern(page: &PageQuery) -> String {
    containing(page.q.as_deref().unwrap_or("").trim())
}

/// The pattern for `ilike` that finds `q` anywhere; `None` when there is no search.
pub(crate) fn search(page: &PageQuery) -> Option<String> {
    let q = page.q.as_deref().unwrap_or("").trim();
    (!q.is_empty()).then(|| containing(q))
}

/// The pattern for `ilike` that finds `text` anywhere, wildcards taken literally; `%` when it is empty.
pub(crate) fn containing(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    if !text.is_empty() {
        pattern.push('%');
    }
    pattern
}

/// An `order by` clause that ends with `id`, so that the order is total. The field must be one of `fields`, which the
/// contract has validated; an unknown one falls back to `default`.
pub(crate) fn order_by(page: &PageQuery, fields: &[&'static str], default: &str) -> String {
    let (requested, descending) = page.sort_or(default);
    let sortable = |name: &str| fields.iter().copied().find(|field| *field == name);
    let field = sortable(requested).or_else(|| sortable(default.trim_start_matches('-'))).unwrap_or("id");
    let direction = if descending { "desc" } else { "asc" };
    format!("order by {} {direction}, id {direction}", collated(field))
}

/// Letters with accents and, at the same positions, the letters that they sort as. Many databases' `lower` supports
/// ASCII only.
const ACCENTED: &str = "áàâäãåçéèêëíìîïñóòôöõúùûüýÿßÁÀÂÄÃÅÇÉÈÊËÍÌÎÏÑÓÒÔÖÕÚÙÛÜÝ";
const PLAIN: &str = "aaaaaaceeeeiiiinooooouuuuyysaaaaaaceeeeiiiinooooouuuuy";

/// SQL that sorts a name, question, title or path (optionally qualified by its table) regardless of case, accents and the
/// database's collations. An index of migration 0041 has the same expression.
pub(crate) fn collated(field: &str) -> String {
    match field.rsplit('.').next() {
        Some("name" | "display_name" | "question" | "title" | "path") => {
            format!("translate(lower({field}), '{ACCENTED}', '{PLAIN}')")
        }
        _ => field.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(q: Option<&str>, sort: Option<&str>) -> PageQuery {
        PageQuery { q: q.map(str::to_owned), sort: sort.map(str::to_owned), ..PageQuery::default() }
    }

    #[test]
    fn wildcards_in_a_search_are_taken_literally() {
        assert_eq!(pattern(&page(Some("50%_a\\"), None)), "%50\\%\\_a\\\\%");
        assert_eq!(pattern(&page(None, None)), "%");
    }

    #[test]
    fn a_sort_field_never_reaches_the_statement_unless_it_is_known() {
        let fields = ["slug", "created_at"];
        assert_eq!(order_by(&page(None, Some("-slug")), &fields, "slug"), "order by slug desc, id desc");
        assert_eq!(order_by(&page(None, None), &fields, "-created_at"), "order by created_at desc, id desc");
        assert!(order_by(&page(None, Some("name")), &["name"], "name").starts_with("order by translate(lower(name), "));
        assert!(collated("t.display_name").starts_with("translate(lower(t.display_name), "));
        assert!(collated("title").starts_with("translate(lower(title), "));
        assert_eq!(collated("c.slug"), "c.slug");
        assert_eq!(ACCENTED.chars().count(), PLAIN.chars().count());
        assert_eq!(order_by(&page(None, Some("slug; drop")), &fields, "slug"), "order by slug asc, id asc");
    }
}
