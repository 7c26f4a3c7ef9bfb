"""The memory of a Cartesia Line agent: it hands what it recalls to the agent, and stores what was said."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from line.events import AgentSendText, AgentTextSent, UserTextSent, UserTurnEnded
from loguru import logger
from supermemory import Supermemory
from supermemory_cartesia import MemoryConfig, SupermemoryCartesiaAgent
from support import KEY, URL, conversation, remembered, tell

logger.remove()
reader = Supermemory(max_retries=0)
boat = reader.add(content="Ada keeps her sailing boat in Lagos.", container_tag="py-cartesia")
remembered(reader, boat.id)


class Agent:
    """Answers always the same, and keeps the context that it gets."""

    context: str | None = None

    async def process(self, env: Any, event: Any, context: str | None = None) -> AsyncIterator[Any]:
        self.context = context
        yield AgentSendText(text="In the harbour.")


async def main() -> None:
    inner = Agent()
    agent = SupermemoryCartesiaAgent(
        agent=inner,
        api_key=KEY,
        container_tag="py-cartesia",
        container_tags=["py-calls"],
        custom_id="py-call-2",
        config=MemoryConfig(mode="full"),
        base_url=URL,
    )
    question = UserTextSent(content="Where is my sailing boat? I call it Tern.")
    history = [question, AgentTextSent(content="One moment.")]
    turn = UserTurnEnded(content=[question], history=history)
    answers = [output.text async for output in agent.process(None, turn)]
    await asyncio.gather(*agent._background_tasks)
    saved = conversation(reader, "py-calls", "py-call-2")
    tell(answers=answers, context=inner.context, saved=saved.content, tags=saved.container_tags)


asyncio.run(main())
