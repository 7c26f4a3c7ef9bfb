"""Version 2 of the integration for Microsoft's agent framework, which uses version 5 of the client."""

import asyncio
import json

from agent_framework import Agent
from agent_model import Model
from supermemory import NotFoundError, Supermemory
from supermemory_agent_framework import (
    AgentSupermemory,
    SupermemoryChatMiddleware,
    SupermemoryContextProvider,
    SupermemoryMiddlewareOptions,
    SupermemoryTools,
)
from support import settled, tell, text_of, until

reader = Supermemory(max_retries=0)


def connect(namespace: str, name: str) -> AgentSupermemory:
    """Its address and key come from the environment."""
    return AgentSupermemory(container_tag=namespace, conversation_id=name)


def saved(namespace: str, document_id: str) -> str:
    """The text of the conversation that a program saves in the background."""

    def look() -> str | None:
        try:
            return reader.documents.get(namespace, document_id).id
        except NotFoundError:
            return None

    return settled(reader, namespace, until(f"the conversation {document_id}", look)).content


async def use_tools() -> list[str]:
    tools = SupermemoryTools(connect("py5-agents", "tools"))
    added = json.loads(await tools.add_memory("Ada keeps her sailing boat in Lagos."))
    assert added["success"], added
    settled(reader, "py5-agents", added["memory"]["id"])
    found = json.loads(await tools.search_memories("Where is the boat of Ada?"))
    assert "Lagos" in text_of(found["results"][0]), found
    profile = json.loads(await tools.get_profile("boat"))
    assert profile["success"] and "Lagos" in json.dumps(profile), profile
    return [tool.name for tool in tools.get_tools()]


async def use_middleware() -> str:
    options = SupermemoryMiddlewareOptions(mode="full", add_memory="always")
    middleware = SupermemoryChatMiddleware(connect("py5-agents", "middle"), options=options)
    model = Model()
    agent = Agent(client=model, instructions="Be brief.", middleware=[middleware])
    await agent.run("Where is my sailing boat? I call it Tern.")
    await middleware.wait_for_background_tasks()
    assert "Tern" in saved("py5-agents", "conversation_middle")
    return model.asked[-1]


async def use_provider() -> str:
    boat = reader.add("py5-provider", content="Ben keeps his canoe in Porto.")
    settled(reader, "py5-provider", boat.id)
    provider = SupermemoryContextProvider(
        connect("py5-provider", "provider"), mode="full", store_conversations=True
    )
    model = Model()
    agent = Agent(client=model, instructions="Be brief.", context_providers=[provider])
    await agent.run("Where is my canoe? I call it Coot.", session=agent.create_session())
    assert "Coot" in saved("py5-provider", "conversation_provider")
    return model.asked[-1]


async def main() -> None:
    names = await use_tools()
    tell(tools=names, middleware=await use_middleware(), provider=await use_provider())


asyncio.run(main())
