//! From a conversation to its neighbours, with the filters of the list.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{Conversations, LIST, conversations};

impl Conversations {
    /// The neighbours of a conversation: newer and older.
    async fn neighbours_of(&self, session: &str, query: &str) -> [Value; 2] {
        let path = format!("{LIST}/{session}/neighbours?{query}");
        let answer = self.platform.viewer(self.tenant.id).get(&path).await;
        assert_eq!(answer.status, 200, "{query}: {answer:?}");
        ["newer", "older"].map(|side| answer.body[side].clone())
    }
}

#[tokio::test]
async fn a_conversation_has_neighbours_within_the_filters() {
    let conversations = conversations().await;
    let [silent, disliked, liked] =
        [&conversations.silent, &conversations.disliked, &conversations.liked].map(|id| json!(id));
    let none = || Value::Null;
    let of_first = format!("chatbot_id={}", conversations.tenant.chatbot);
    for (session, query, expected) in [
        (&conversations.silent, "", [none(), disliked.clone()]),
        (&conversations.disliked, "", [silent.clone(), liked.clone()]),
        (&conversations.liked, "", [disliked.clone(), none()]),
        (&conversations.disliked, of_first.as_str(), [none(), liked.clone()]),
        (&conversations.liked, "outcome=unanswered", [disliked.clone(), none()]),
        (&conversations.disliked, "outcome=unanswered", [silent.clone(), none()]),
        (&conversations.silent, "q=NINE+in", [none(), disliked]),
        (&conversations.disliked, "rating=up", [none(), liked]),
        (&conversations.liked, "q=quagga", [silent, none()]),
        (&conversations.disliked, "q=nothing+like+it", [none(), none()]),
    ] {
        assert_eq!(conversations.neighbours_of(session, query).await, expected, "{session} {query}");
    }
}

#[tokio::test]
async fn an_unknown_conversation_has_no_neighbours() {
    let conversations = conversations().await;
    let refused = async |tenant, session: &str, query: &str| {
        let answer = conversations.platform.viewer(tenant).get(&format!("{LIST}/{session}/neighbours{query}")).await;
        (answer.status, answer.detail().to_owned())
    };
    let unknown = (404, "session_not_found".to_owned());
    assert_eq!(refused(conversations.tenant.id, &Uuid::new_v4().to_string(), "").await, unknown);
    assert_eq!(refused(conversations.other.id, &conversations.liked, "").await, unknown);
    let backwards =
        refused(conversations.tenant.id, &conversations.liked, "?date_from=2026-03-02&date_to=2026-03-01").await;
    assert_eq!(backwards, (422, "date_from_after_date_to".to_owned()));
}
