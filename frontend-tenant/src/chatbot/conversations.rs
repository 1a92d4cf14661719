//! The conversations with one chatbot.

use leptos::prelude::*;

use super::{frame::Frame, parts::Part};
use crate::{conversations::ChatbotConversations, provisioning::ProvisioningPoller};

/// The conversations with the chatbot in the URL.
#[component]
pub(crate) fn ChatbotConversationsPage() -> impl IntoView {
    view! { <Frame part=Part::Conversations content /> }
}

fn content(poller: ProvisioningPoller) -> AnyView {
    let chatbot = poller.chatbot().with_untracked(|chatbot| chatbot.id);
    view! { <ChatbotConversations chatbot /> }.into_any()
}
