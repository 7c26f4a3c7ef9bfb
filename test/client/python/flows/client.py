"""Every method of the published client outside connections. The answers have the types that the client declares."""

import sys
from typing import Any

from supermemory import AsyncSupermemory, ConflictError, Supermemory
from support import Blocking, checked, raised, remembered, tell, text_of

# Its address and key come from the environment.
WAY = sys.argv[1]
client: Any = Blocking(AsyncSupermemory(max_retries=0)) if WAY == "async" else Supermemory(max_retries=0)
ADA = f"py-{WAY}-ada"
CELLO = f"py/{WAY} cello:1"
BATCH = f"py-{WAY}-batch"
FIRST = f"py-{WAY}-first"
FOLDER = f"/{WAY}/"
QUESTION = "What instrument does Ada play?"


def add_and_read() -> str:
    added = checked(
        client.add(
            content="Ada plays the cello on Fridays.",
            container_tag=ADA,
            custom_id=CELLO,
            metadata={"kind": "hobby", "weekly": True, "rank": 3},
            entity_context="Ada is a musician.",
            filter_by_metadata={"kind": "hobby"},
            filepath=f"{FOLDER}hobbies.txt",
            dreaming="instant",
            task_type="memory",
        )
    )
    assert added.status == "queued", added
    document = checked(remembered(client, added.id))
    assert document.content == "Ada plays the cello on Fridays."
    assert (document.custom_id, document.container_tags) == (CELLO, [ADA])
    assert document.metadata == {"kind": "hobby", "weekly": True, "rank": 3}, document.metadata
    assert client.documents.get(CELLO).id == added.id
    same = client.documents.add(
        content="Ada plays the cello on Fridays.", container_tag=ADA, custom_id=CELLO
    )
    assert (same.id, same.status) == (added.id, "done"), same
    return added.id


def list_in_every_way() -> None:
    assert checked(client.documents.list()).pagination.total_items > 0
    listed = client.documents.list(
        container_tags=[ADA],
        filters={"AND": [{"key": "kind", "value": "hobby", "filter_type": "metadata"}]},
        include_content=True,
        limit="5",
        page=1,
        sort="updatedAt",
        order="asc",
    )
    assert [item.content for item in checked(listed).memories] == ["Ada plays the cello on Fridays."], listed
    assert client.documents.list(filepath=FOLDER).pagination.total_items == 1
    processing = client.documents.list_processing(container_tags=ADA, view="all", limit=5, page=1)
    assert checked(processing).total_count == 0, processing


def change(document_id: str) -> None:
    changed = checked(client.documents.update(CELLO, metadata={"kind": "pastime"}))
    assert changed.id == document_id
    assert client.documents.get(document_id).metadata["kind"] == "pastime"
    client.documents.update(document_id, content="Ada plays the viola on Fridays.")
    assert "viola" in remembered(client, document_id).content


def add_many_and_delete() -> None:
    batch = client.documents.batch_add(
        documents=[
            {"content": "The first of two.", "custom_id": FIRST, "metadata": {"n": 1}},
            {"content": "The second of two.", "document_date": "2024-05-02"},
        ],
        container_tag=BATCH,
    )
    assert (checked(batch).success, batch.failed) == (2, 0), batch
    texts = client.documents.batch_add(documents=["A bare text.", "Another."], container_tag=BATCH)
    assert texts.success == 2
    ids = [item.id for item in [*batch.results, *texts.results]]
    for document_id in ids:
        remembered(client, document_id)
    assert client.documents.delete(FIRST) is None
    bulk = checked(client.documents.delete_bulk(ids=ids[:2]))
    assert (bulk.deleted_count, [error.id for error in bulk.errors]) == (1, ids[:1]), bulk
    assert client.documents.delete_bulk(container_tags=[BATCH]).deleted_count == 2


def search(document_id: str) -> None:
    memories = client.search.memories(
        q=QUESTION,
        container_tag=ADA,
        search_mode="hybrid",
        threshold=0.3,
        limit=5,
        rerank=False,
        rewrite_query=False,
        aggregate=False,
        filters={"OR": [{"key": "kind", "value": "pastime"}, {"key": "kind", "value": "none"}]},
        include={"documents": True, "related_memories": True, "summaries": True, "forgotten_memories": False},
    )
    assert "viola" in text_of(checked(memories).results[0]), memories
    for method in (client.search.documents, client.search.execute):
        passages = method(
            q=QUESTION,
            container_tags=[ADA],
            chunk_threshold=0,
            include_full_docs=True,
            include_summary=True,
            only_matching_chunks=False,
            limit=3,
        )
        assert "viola" in checked(passages).results[0].chunks[0].content, passages
    one = client.search.documents(q=QUESTION, container_tag=ADA, doc_id=document_id)
    assert [result.document_id for result in one.results] == [document_id], one


def profile() -> None:
    known = checked(
        client.profile(
            container_tag=ADA, q=QUESTION, threshold=0.3, include=["static", "dynamic", "buckets"]
        )
    )
    facts = [*(known.profile.static or []), *(known.profile.dynamic or [])]
    assert any("viola" in fact for fact in facts), known
    assert any("viola" in text_of(result) for result in known.search_results.results), known
    assert checked(client.profile(container_tag="py-nobody")).profile.static == []


def change_memories() -> int:
    dated = client.add(
        content="Ada moved to Porto yesterday.", container_tag=ADA, document_date="2024-05-02"
    )
    remembered(client, dated.id)
    found = client.search.memories(
        q="Where does Ada live now?", container_tag=ADA, search_mode="memories"
    )
    moved = next(result for result in found.results if "Porto" in (result.memory or ""))
    updated = checked(
        client.memories.update_memory(
            container_tag=ADA, id=moved.id, new_content="Ada moved to Faro.", metadata={"checked": True}
        )
    )
    assert (updated.memory, updated.version) == ("Ada moved to Faro.", 2), updated
    forgotten = checked(
        client.memories.forget(container_tag=ADA, id=updated.id, reason="It was wrong.")
    )
    assert (forgotten.forgotten, forgotten.id) == (True, updated.id), forgotten
    again = raised(ConflictError, lambda: client.memories.forget(container_tag=ADA, id=updated.id))
    return again.status_code


def settings() -> None:
    checked(
        client.settings.update(
            should_llm_filter=True,
            filter_prompt="Keep what is about music.",
            profile_buckets=[{"key": "music", "description": "What is played."}],
            notion_client_id="n-1",
        )
    )
    now = checked(client.settings.get())
    assert (now.filter_prompt, now.notion_client_id) == ("Keep what is about music.", "n-1"), now
    client.settings.update(should_llm_filter=False, profile_buckets=[])


added_id = add_and_read()
list_in_every_way()
change(added_id)
add_many_and_delete()
search(added_id)
profile()
refused = change_memories()
settings()
tell(id=added_id, refused=refused, connections=len(client.connections.list()))
