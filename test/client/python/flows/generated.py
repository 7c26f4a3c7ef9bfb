"""A client generated from the description of the API by a common generator, and a few calls through it."""

import importlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from support import KEY, URL, tell, until

DESCRIPTION = Path(sys.argv[1])


def generate(folder: str) -> None:
    """Fails at a warning. Nothing is formatted, because that shows nothing about the description."""
    config = Path(folder) / "config.yml"
    config.write_text("post_hooks: []\n")
    command = "from openapi_python_client.cli import app; app()"
    arguments = ["generate", "--path", DESCRIPTION, "--meta", "none", "--config", config, "--fail-on-warning"]
    target = ["--output-path", Path(folder) / "memoir_client"]
    run = subprocess.run(
        [sys.executable, "-S", "-c", command, *arguments, *target], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr


def part(name: str) -> Any:
    return importlib.import_module(f"memoir_client.{name}")


def use() -> dict[str, Any]:
    client = part("client").AuthenticatedClient(base_url=URL, token=KEY)
    models = part("models")
    adding = models.DocumentsAddRequest(content="Cy keeps a kite in Tavira.", container_tag="py-made")
    added = part("api.documents.documents_add").sync(client=client, body=adding)

    def look() -> Any:
        document = part("api.documents.documents_get").sync(added.id, client=client)
        return document if document.status == "done" and document.dreaming_status == "done" else None

    document = until("the document", look)
    asking = models.SearchMemoriesRequest(q="Where is the kite?", container_tag="py-made")
    found = part("api.search.search_memories").sync(client=client, body=asking)
    listed = part("api.documents.documents_list").sync(
        client=client, body=models.DocumentsListRequest(container_tags=["py-made"])
    )
    image = {"type": "image_url", "imageUrl": {"url": "https://example.com/bay.png"}}
    message = {"role": "user", "content": [{"type": "text", "text": "A map of the bay."}, image]}
    talk = {"conversationId": "py-made-talk", "containerTag": "py-made-talk", "messages": [message]}
    stored = part("api.conversations.conversations_add").sync(
        client=client, body=models.ConversationsAddRequest.from_dict(talk)
    )
    missing = part("api.documents.documents_get").sync_detailed("no-such-document", client=client)
    return {
        "read": document.content,
        "found": found.results[0].memory or found.results[0].chunk,
        "listed": len(listed.memories),
        "talk": stored.status,
        "missing": [missing.status_code, missing.parsed.error],
    }


with tempfile.TemporaryDirectory() as folder:
    generate(folder)
    sys.path.insert(0, folder)
    modules = (Path(folder) / "memoir_client" / "api").glob("*/[!_]*.py")
    tell(operations=len(list(modules)), **use())
