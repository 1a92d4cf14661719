"""Calls a chatbot with the `openai` package of PyPI, and prints what it got as JSON."""

import json
import sys

import openai

given = json.load(sys.stdin)
client = openai.OpenAI(base_url=given["base_url"], api_key=given["api_key"], max_retries=0)
messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": given["question"]}]
model = given["model"]


def refused(call):
    try:
        call()
    except openai.APIStatusError as error:
        return {"class": type(error).__name__, "status": error.status_code, "code": error.code, "param": error.param}
    return None


whole = client.chat.completions.create(model=model, messages=messages, temperature=0.2, user="customer 7")
marked = client.chat.completions.create(model=model, messages=messages, extra_body={"citations": "text"})
stream = client.chat.completions.create(
    model=model, messages=messages, stream=True, stream_options={"include_usage": True}
)
text, finished, usage, annotations = "", None, None, []
for chunk in stream:
    usage = chunk.usage or usage
    for choice in chunk.choices:
        text += choice.delta.content or ""
        annotations += getattr(choice.delta, "annotations", None) or []
        finished = choice.finish_reason or finished
message = whole.choices[0].message
cited = message.annotations[0].url_citation
stranger = openai.OpenAI(base_url=given["base_url"], api_key="nobody", max_retries=0)
print(
    json.dumps(
        {
            "version": openai.__version__,
            "models": [known.id for known in client.models.list()],
            "model": client.models.retrieve(model).id,
            "text": message.content,
            "cited": message.content[cited.start_index : cited.end_index],
            "url": cited.url,
            "marked": marked.choices[0].message.content,
            "total_tokens": whole.usage.total_tokens,
            "finish_reason": whole.choices[0].finish_reason,
            "streamed": text,
            "streamed_annotations": len(annotations),
            "streamed_finish_reason": finished,
            "streamed_total_tokens": usage.total_tokens,
            "unknown_model": refused(lambda: client.chat.completions.create(model="nobody", messages=messages)),
            "tools": refused(
                lambda: client.chat.completions.create(
                    model=model, messages=messages, tools=[{"type": "function", "function": {"name": "x"}}]
                )
            ),
            "stranger": refused(lambda: stranger.models.list()),
            "long": refused(
                lambda: client.chat.completions.create(
                    model=model, messages=[{"role": "user", "content": "x" * 1_000_000}]
                )
            ),
        }
    )
)
