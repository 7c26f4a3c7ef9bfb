"""A language model for agents that is a function."""

from typing import Any

from agent_framework import BaseChatClient, ChatMiddlewareLayer, ChatResponse, Message


class Model(ChatMiddlewareLayer, BaseChatClient):
    """Answers always the same, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **_: Any) -> Any:
        self.asked.append("\n".join([str(options.get("instructions") or ""), *(m.text for m in messages)]))

        async def answer() -> ChatResponse:
            return ChatResponse(messages=[Message("assistant", ["In the harbour."])], response_id="r-1")

        return answer()
