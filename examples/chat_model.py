"""A language model behind an API like OpenAI's, which most servers of models offer.

`OPENAI_BASE_URL`, `OPENAI_MODEL` and, if there is one, `OPENAI_API_KEY` say which:

    OPENAI_BASE_URL=http://127.0.0.1:8080/v1 OPENAI_MODEL=small \
        python benchmarks/llm_leaderboard.py play results --model small=examples/chat_model.py:model
"""

import json
import os
import urllib.request

SECONDS = 300.0  # for an answer


def model(messages: list[dict[str, str]]) -> str:
    """What the model says to a conversation."""
    headers = {"Content-Type": "application/json"}
    if key := os.environ.get("OPENAI_API_KEY"):
        headers["Authorization"] = f"Bearer {key}"
    body = {"model": os.environ["OPENAI_MODEL"], "messages": messages}
    address = f"{os.environ['OPENAI_BASE_URL'].rstrip('/')}/chat/completions"
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=SECONDS) as response:
        return str(json.load(response)["choices"][0]["message"]["content"])
