"""The tools for OpenAI's function calls, and the wrapper of its client; a stand-in on loopback answers as the model."""

import asyncio
import json
import warnings
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any

from openai import AsyncOpenAI
from supermemory import Supermemory
from supermemory_openai import OpenAIMiddlewareOptions, SupermemoryTools, with_supermemory
from support import KEY, URL, conversation, remembered, tell, text_of

reader = Supermemory(max_retries=0)
asked_of_model: list[dict[str, Any]] = []


class Model(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked_of_model.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        message = {"role": "assistant", "content": "The harbour of Lagos."}
        body = json.dumps(
            {
                "id": "chat-1",
                "object": "chat.completion",
                "created": 0,
                "model": "stand-in",
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            }
        ).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Prints nothing: the last line of the output belongs to the test."""


async def call(tools: SupermemoryTools, name: str, **arguments: Any) -> dict[str, Any]:
    """As the answer of a model asks for it."""
    function = SimpleNamespace(name=name, arguments=json.dumps(arguments))
    answer = json.loads(await tools.execute_tool_call(SimpleNamespace(function=function)))
    assert answer["success"], answer
    return answer


async def use_tools() -> int:
    tools = SupermemoryTools(KEY, {"base_url": URL, "container_tags": ["py-tools"]})
    defined = [tool["function"]["name"] for tool in tools.get_tool_definitions()]
    added = await call(tools, "add_memory", memory="Ada keeps her sailing boat in Lagos.")
    remembered(reader, added["memory"]["id"])
    found = await call(tools, "search_memories", information_to_get="Where is the boat of Ada?")
    assert "Lagos" in text_of(found["results"][0]), found
    profile = await call(tools, "get_profile", query="boat")
    assert "Lagos" in json.dumps(profile), profile
    page = await call(tools, "document_add", content="A page on tides.", title="Tides")
    remembered(reader, page["document"]["id"])
    listed = await call(tools, "document_list", limit=10, page=1)
    assert len(listed["documents"]) == 2, listed
    await call(tools, "document_delete", document_id=page["document"]["id"])
    memory = reader.search.memories(q="boat", container_tag="py-tools", search_mode="memories").results[0]
    await call(tools, "memory_forget", memory_id=memory.id, reason="It was sold.")
    left = reader.search.memories(q="boat", container_tag="py-tools", search_mode="memories").results
    assert memory.id not in [result.id for result in left], left
    return len(defined)


async def use_wrapper(model_url: str) -> str:
    boat = reader.add(content="Ada keeps her sailing boat in Lagos.", container_tag="py-wrapped")
    remembered(reader, boat.id)
    options = OpenAIMiddlewareOptions(
        container_tag="py-wrapped", custom_id="py-talk", mode="full", api_key=KEY, base_url=URL
    )
    async with with_supermemory(AsyncOpenAI(api_key="none", base_url=model_url), options) as openai:
        question = {"role": "user", "content": "Where is my sailing boat? I call it Tern."}
        answer = await openai.chat.completions.create(model="stand-in", messages=[question])
        assert answer.choices[0].message.content == "The harbour of Lagos."
        await openai.wait_for_background_tasks()
    assert "Tern" in conversation(reader, "py-wrapped", "conversation:py-talk").content
    return asked_of_model[-1]["messages"][0]["content"]


async def main() -> None:
    server = HTTPServer(("127.0.0.1", 0), Model)
    Thread(target=server.serve_forever, daemon=True).start()
    defined = await use_tools()
    told = await use_wrapper(f"http://127.0.0.1:{server.server_port}/v1")
    server.shutdown()
    tell(tools=defined, told=told)


warnings.simplefilter("ignore")
asyncio.run(main())
