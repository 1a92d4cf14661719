//! The text of an answer: the same safe subset of Markdown as in the widget, from the same parser, and tables.

use contract::markdown::{self, Block, Inline, Part, Table};
use leptos::prelude::*;

/// A text in the subset of Markdown that answers may use. It is rendered with a fixed set of elements; its HTML is
/// never interpreted.
#[component]
pub fn Prose(
    /// A small subset of Markdown.
    #[prop(into)]
    text: String,
) -> impl IntoView {
    view! { <div class="ui-markdown">{markdown::parse_with_tables(&text).into_iter().map(part).collect_view()}</div> }
}

fn part(of: Part) -> AnyView {
    match of {
        Part::Blocks(of) => blocks(of),
        Part::Table(Table { head, rows }) => {
            let head = head.into_iter().map(|cell| view! { <th scope="col">{inlines(cell)}</th> }).collect_view();
            let row = |cells: Vec<Vec<Inline>>| {
                view! { <tr>{cells.into_iter().map(|cell| view! { <td>{inlines(cell)}</td> }).collect_view()}</tr> }
            };
            let rows = rows.into_iter().map(row).collect_view();
            view! {
                <div class="ui-markdown__table" tabindex="0">
                    <table>
                        <thead>
                            <tr>{head}</tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            }
            .into_any()
        }
    }
}

fn blocks(of: Vec<Block>) -> AnyView {
    of.into_iter().map(block).collect_view().into_any()
}

fn block(of: Block) -> AnyView {
    match of {
        Block::Paragraph(content) => view! { <p>{inlines(content)}</p> }.into_any(),
        // A heading of an answer is not a heading of the page.
        Block::Heading(content) => view! { <p class="ui-strong">{inlines(content)}</p> }.into_any(),
        Block::List { start: None, items: of } => view! { <ul>{items(of)}</ul> }.into_any(),
        Block::List { start: Some(start), items: of } => {
            view! { <ol start=start.to_string()>{items(of)}</ol> }.into_any()
        }
        Block::Code(code) => view! { <pre tabindex="0" dir="ltr"><code>{code}</code></pre> }.into_any(),
        Block::Quote(of) => view! { <blockquote>{blocks(of)}</blockquote> }.into_any(),
        Block::Rule => view! { <hr /> }.into_any(),
    }
}

fn items(of: Vec<Vec<Block>>) -> AnyView {
    of.into_iter().map(|blocks| view! { <li>{item(blocks)}</li> }).collect_view().into_any()
}

/// A list item; its first paragraph needs no separate element.
fn item(mut of: Vec<Block>) -> AnyView {
    if !matches!(of.first(), Some(Block::Paragraph(_))) {
        return blocks(of);
    }
    let rest = of.split_off(1);
    let first = of.into_iter().map(|first| match first {
        Block::Paragraph(content) => inlines(content),
        other => block(other),
    });
    view! { {first.collect_view()} {blocks(rest)} }.into_any()
}

fn inlines(of: Vec<Inline>) -> AnyView {
    of.into_iter().map(inline).collect_view().into_any()
}

fn inline(of: Inline) -> AnyView {
    match of {
        Inline::Text(text) => text.into_any(),
        Inline::Strong(content) => view! { <strong>{inlines(content)}</strong> }.into_any(),
        Inline::Emphasis(content) => view! { <em>{inlines(content)}</em> }.into_any(),
        Inline::Code(code) => view! { <code>{code}</code> }.into_any(),
        Inline::Link { href, children } => view! {
            <a class="ui-link" href=href target="_blank" rel="noopener noreferrer nofollow">{inlines(children)}</a>
        }
        .into_any(),
        Inline::Marker(number) => format!("[{number}]").into_any(),
        Inline::Break => view! { <br /> }.into_any(),
    }
}
