"""The parts that every flow shares. A flow ends with one line of JSON, which the test reads."""

import asyncio
import json
import os
import time
from typing import Any, Callable

# The two variables that the published client reads: the only change that a program needs.
URL = os.environ["SUPERMEMORY_BASE_URL"]
KEY = os.environ["SUPERMEMORY_API_KEY"]

LONGEST_SECONDS = 60


class Blocking:
    """An asynchronous client, or a part of it, with methods that wait for their answers."""

    def __init__(self, part: Any, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._part = part
        self._loop = loop or asyncio.new_event_loop()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._part, name)
        if not callable(found):
            return Blocking(found, self._loop)
        return lambda *given, **named: self._loop.run_until_complete(found(*given, **named))


def until(what: str, look: Callable[[], Any]) -> Any:
    """Returns what the look finds, once it finds something."""
    end = time.monotonic() + LONGEST_SECONDS
    while time.monotonic() < end:
        found = look()
        if found:
            return found
        time.sleep(0.03)
    raise AssertionError(f"Waited {LONGEST_SECONDS} seconds in vain for {what}.")


def remembered(client: Any, document_id: str) -> Any:
    """The document, once it can be searched and its memories are drawn."""

    def look() -> Any:
        document = client.documents.get(document_id)
        assert document.status != "failed", document
        return document if document.status == "done" and document.dreaming_status == "done" else None

    return until(f"the memories of {document_id}", look)


def settled(client: Any, namespace: str, document_id: str) -> Any:
    """The same for version 5 of the client."""

    def look() -> Any:
        document = client.documents.get(namespace, document_id)
        assert document.system.status != "failed", document
        state = (document.system.status, document.system.dreaming_status)
        return document if state == ("done", "done") else None

    return until(f"the memories of {document_id}", look)


def text_of(result: Any) -> str:
    """A result has a memory or a passage."""
    given = result if isinstance(result, dict) else result.model_dump()
    return given.get("memory") or given.get("chunk") or ""


def conversation(client: Any, tag: str, custom_id: str) -> Any:
    """The document that a program saves in the background."""

    def look() -> Any:
        listed = client.documents.list(container_tags=[tag]).memories
        return next((item.id for item in listed if item.custom_id == custom_id), None)

    return remembered(client, until(f"the conversation {custom_id}", look))


def checked(answer: Any) -> Any:
    """The answer, if it has the types that its client declares; the client itself does not compare them."""
    type(answer).model_validate(answer.to_dict(mode="json"))
    return answer


def raised(error: type[BaseException], act: Callable[[], Any]) -> BaseException:
    """The error of this class that the act raises."""
    try:
        act()
    except error as seen:
        return seen
    raise AssertionError(f"{error.__name__} was not raised.")


def tell(**facts: Any) -> None:
    print(json.dumps(facts, default=str))
