"""Calls the platform with the generated Python package, and prints what it got as JSON."""

import json
import sys

given = json.load(sys.stdin)

from chatbot_platform_client import AuthenticatedClient
from chatbot_platform_client.api.default import ask_chatbot, list_chatbots
from chatbot_platform_client.models import AskQuestion, ErrorBody

client = AuthenticatedClient(base_url=given["base_url"], token=given["api_key"])
chatbots = list_chatbots.sync(client=client, q="platform-help")
chatbot = chatbots.items[0]
reply = ask_chatbot.sync(chatbot.id, client=client, body=AskQuestion(question=given["question"], visitor_ref="python"))
refused = ask_chatbot.sync(chatbot.id, client=client, body=AskQuestion(question=""))
assert isinstance(refused, ErrorBody)
print(json.dumps({"slug": chatbot.slug, "answer": reply.answer, "kind": str(reply.kind), "refused": refused.detail}))
