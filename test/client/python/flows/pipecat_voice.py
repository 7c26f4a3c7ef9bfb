"""The memory of a Pipecat pipeline: it recalls before a model would be asked, and stores what was said."""

import asyncio
import json

from loguru import logger
from pipecat.frames.frames import LLMContextFrame
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.tests.utils import run_test
from supermemory import Supermemory
from supermemory_pipecat import InputParams, SupermemoryPipecatService
from support import KEY, URL, conversation, remembered, tell

logger.remove()
reader = Supermemory(max_retries=0)
boat = reader.add(content="Ada keeps her sailing boat in Lagos.", container_tag="py-pipecat")
remembered(reader, boat.id)


async def heard(messages: list[dict[str, str]]) -> list[dict[str, str]]:
    """The messages that a model after the memory would get."""
    memory = SupermemoryPipecatService(
        api_key=KEY,
        user_id="py-pipecat",
        session_id="py-call",
        base_url=URL,
        params=InputParams(mode="full", inject_mode="system"),
    )
    down, _ = await run_test(
        memory, frames_to_send=[LLMContextFrame(LLMContext(messages))], start_timeout=30
    )
    return down[0].context.get_messages()


said = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Where is my sailing boat? I call it Tern."},
]
given = asyncio.run(heard(said))
saved = conversation(reader, "py-pipecat", "py-call")
assert saved.metadata == {"platform": "pipecat"}, saved
tell(given=given, saved=json.loads(saved.content) if saved.content.startswith("[") else saved.content)
