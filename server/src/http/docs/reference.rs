//! The API reference, from the OpenAPI description.

use app::backend::escaped;
use serde_json::{Map, Value};

/// The content of the page: one section for each operation of an OpenAPI `document`.
pub(super) fn html(document: &str) -> String {
    let description: Value = serde_json::from_str(document).unwrap_or_default();
    let mut content = String::from(
        "<h1 id=\"api-reference\">API reference</h1>\n<p>Every endpoint of the REST API. The same as \
         <a href=\"/openapi.json\">OpenAPI</a>. <a href=\"/docs/api\">REST API</a> explains tokens, pages and limits, \
         <a href=\"/docs/errors\">Errors</a> the codes.</p>\n",
    );
    for (path, methods) in object(&description["paths"]) {
        for (method, operation) in object(methods) {
            section(&mut content, path, method, operation);
        }
    }
    content.push_str("<h2 id=\"schemas\">Schemas</h2>\n");
    for (name, schema) in object(&description["components"]["schemas"]) {
        content.push_str(&format!("<h3 id=\"{0}\">{0}</h3>\n", escaped(name)));
        text(&mut content, &schema["description"]);
        properties(&mut content, schema);
    }
    content
}

fn section(content: &mut String, path: &str, method: &str, operation: &Value) {
    let id = operation["operationId"].as_str().unwrap_or_default();
    content.push_str(&format!("<h2 id=\"{0}\">{0}</h2>\n", escaped(id)));
    let method = method.to_uppercase();
    content.push_str(&format!("<p class=\"docs__endpoint\"><code>{method} {}</code></p>\n", escaped(path)));
    text(content, &operation["summary"]);
    let rows: Vec<[String; 3]> = list(&operation["parameters"])
        .map(|parameter| {
            let required = if parameter["required"] == true { ", required" } else { "" };
            let place = parameter["in"].as_str().unwrap_or_default();
            let about = parameter["description"].as_str().or(parameter["schema"]["description"].as_str());
            let name = escaped(parameter["name"].as_str().unwrap_or_default());
            [name, format!("{} ({place}{required})", kind(&parameter["schema"])), escaped(about.unwrap_or_default())]
        })
        .collect();
    table(content, ["Parameter", "Type", ""], &rows);
    for (media_type, body) in object(&operation["requestBody"]["content"]) {
        content.push_str(&format!("<p>Body: {} ({}).</p>\n", kind(&body["schema"]), escaped(media_type)));
    }
    let rows: Vec<[String; 3]> = object(&operation["responses"])
        .map(|(status, response)| {
            let schemas = object(&response["content"]).map(|(_, content)| kind(&content["schema"]));
            let about = response["description"].as_str().unwrap_or_default();
            [escaped(status), schemas.collect::<Vec<_>>().join(", "), escaped(about)]
        })
        .collect();
    table(content, ["Status", "Type", ""], &rows);
}

/// The properties of an object, or the values of an enumeration.
fn properties(content: &mut String, schema: &Value) {
    let values: Vec<&str> = list(&schema["enum"]).filter_map(Value::as_str).collect();
    if !values.is_empty() {
        content.push_str(&format!("<p>One of <code>{}</code>.</p>\n", escaped(&values.join(", "))));
    }
    let rows: Vec<[String; 3]> = object(&schema["properties"])
        .map(|(name, property)| {
            let required = list(&schema["required"]).any(|required| required == name);
            let required = if required { ", required" } else { "" };
            let about = property["description"].as_str().unwrap_or_default();
            [escaped(name), format!("{}{required}", kind(property)), escaped(about)]
        })
        .collect();
    table(content, ["Property", "Type", ""], &rows);
}

/// The type of a schema, with a link when it has a name.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return format!("<a href=\"#{0}\">{0}</a>", escaped(name));
    }
    let parts = ["allOf", "anyOf", "oneOf"].iter().flat_map(|key| list(&schema[*key]));
    let kinds: Vec<String> = parts.map(kind).filter(|kind| !kind.is_empty() && kind != "null").collect();
    if !kinds.is_empty() {
        return kinds.join(" or ");
    }
    let mut types = list(&schema["type"]).filter_map(Value::as_str);
    let name = match schema["type"].as_str().or_else(|| types.find(|name| *name != "null")) {
        Some("array") => return format!("list of {}", kind(&schema["items"])),
        Some(name) => name,
        None => "",
    };
    let format = schema["format"].as_str().map(|format| format!(" ({format})")).unwrap_or_default();
    escaped(&format!("{name}{format}"))
}

fn table(content: &mut String, head: [&str; 3], rows: &[[String; 3]]) {
    if rows.is_empty() {
        return;
    }
    let cells = |tag: &str, cells: &[String; 3]| -> String {
        cells.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect()
    };
    let body: String = rows.iter().map(|row| format!("<tr>{}</tr>\n", cells("td", row))).collect();
    let head = cells("th", &head.map(str::to_owned));
    content.push_str(&format!(
        "<div class=\"docs__table\" tabindex=\"0\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table></div>\n"
    ));
}

fn text(content: &mut String, value: &Value) {
    if let Some(text) = value.as_str() {
        content.push_str(&format!("<p>{}</p>\n", escaped(text)));
    }
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
