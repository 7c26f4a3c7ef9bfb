"""The tools, the middleware and the context provider for Microsoft's agent framework."""

import asyncio
import json

from agent_framework import Agent
from agent_model import Model
from supermemory import Supermemory
from supermemory_agent_framework import (
    AgentSupermemory,
    SupermemoryChatMiddleware,
    SupermemoryContextProvider,
    SupermemoryMiddlewareOptions,
    SupermemoryTools,
)
from support import conversation, remembered, tell, text_of

reader = Supermemory(max_retries=0)


def connect(tag: str, name: str) -> AgentSupermemory:
    """Its address and key come from the environment."""
    return AgentSupermemory(container_tag=tag, conversation_id=name)


async def use_tools() -> list[str]:
    tools = SupermemoryTools(connect("py-agents", "tools"))
    added = json.loads(await tools.add_memory("Ada keeps her sailing boat in Lagos."))
    assert added["success"], added
    remembered(reader, added["memory"]["id"])
    found = json.loads(await tools.search_memories("Where is the boat of Ada?"))
    assert "Lagos" in text_of(found["results"][0]), found
    profile = json.loads(await tools.get_profile("boat"))
    assert profile["success"] and "Lagos" in json.dumps(profile), profile
    return [tool.name for tool in tools.get_tools()]


async def use_middleware() -> str:
    options = SupermemoryMiddlewareOptions(mode="full", add_memory="always")
    middleware = SupermemoryChatMiddleware(connect("py-agents", "middle"), options=options)
    model = Model()
    agent = Agent(client=model, instructions="Be brief.", middleware=[middleware])
    await agent.run("Where is my sailing boat? I call it Tern.")
    await middleware.wait_for_background_tasks()
    assert "Tern" in conversation(reader, "py-agents", "conversation_middle").content
    return model.asked[-1]


async def use_provider() -> str:
    boat = reader.add(content="Ben keeps his canoe in Porto.", container_tag="py-provider")
    remembered(reader, boat.id)
    provider = SupermemoryContextProvider(
        connect("py-provider", "provider"), mode="full", store_conversations=True
    )
    model = Model()
    agent = Agent(client=model, instructions="Be brief.", context_providers=[provider])
    await agent.run("Where is my canoe? I call it Coot.", session=agent.create_session())
    assert "Coot" in conversation(reader, "py-provider", "conversation_provider").content
    return model.asked[-1]


async def main() -> None:
    names = await use_tools()
    tell(tools=names, middleware=await use_middleware(), provider=await use_provider())


asyncio.run(main())
