"""Every method of version 5 of the published client. The answers have the types that the client declares."""

import json
import os
import sys
from typing import Any

from supermemory import (
    APIStatusError,
    AsyncSupermemory,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    Supermemory,
)
from support import URL, Blocking, checked, raised, settled, tell, until

# Its address and key come from the environment.
WAY = sys.argv[1]


def open_client(**options: Any) -> Any:
    made = {"max_retries": 0, **options}
    return Blocking(AsyncSupermemory(**made)) if WAY == "async" else Supermemory(**made)


client = open_client()
ADA = f"py5_{WAY}_ada"
BO = f"py5-{WAY}:bo"
KEPT = f"py5_{WAY}_kept"
CELLO = f"cello {WAY}: 1"
QUESTION = "What instrument does Ada play?"
HOBBY = {"field": "kind", "operator": "eq", "value": "hobby"}


def add_and_read() -> str:
    added = checked(
        client.add(
            ADA,
            content="Ada plays the cello on Fridays.",
            id=CELLO,
            supporting_context="Ada is a musician.",
            metadata={"kind": "hobby", "weekly": True, "rank": 3},
            group={"project": "music"},
            date="2024-05-02",
            task_type="memory",
            dreaming="instant",
        )
    )
    assert added.status == "queued", added
    settled(client, ADA, added.id)
    document = checked(client.documents.get(ADA, CELLO, include=["chunks", "memories"]))
    assert (document.id, document.content) == (added.id, "Ada plays the cello on Fridays."), document
    assert document.metadata == {
        "kind": "hobby",
        "weekly": True,
        "rank": 3,
        "project": "music",
        "documentDate": "2024-05-02",
    }, document.metadata
    assert [chunk.position for chunk in document.chunks] == [0], document.chunks
    assert any("cello" in memory.memory for memory in document.memories), document.memories
    plain = checked(client.documents.get(ADA, added.id))
    assert (plain.chunks, plain.memories) == (None, None), plain
    same = checked(client.add(ADA, content="Ada plays the cello on Fridays.", id=CELLO))
    assert (same.id, same.status) == (added.id, "done"), same
    # The same id in another namespace is another document, and the namespace of an id counts.
    other = checked(client.add(BO, content="Bo keeps a boat in Lagos.", id=CELLO))
    assert other.id != added.id
    settled(client, BO, other.id)
    assert client.documents.get(BO, CELLO).content == "Bo keeps a boat in Lagos."
    raised(NotFoundError, lambda: client.documents.get(BO, added.id))
    return added.id


def change(document_id: str) -> None:
    changed = checked(client.documents.update(ADA, CELLO, metadata={"kind": "pastime"}, group={"project": "art"}))
    assert changed.id == document_id, changed
    assert client.documents.get(ADA, document_id).metadata["kind"] == "pastime"
    checked(
        client.documents.update(
            ADA,
            document_id,
            content="Ada plays the viola on Fridays.",
            supporting_context="Ada is a violist.",
            date="2024-06-01",
            task_type="memory",
            dreaming="instant",
        )
    )
    document = settled(client, ADA, document_id)
    assert document.content == "Ada plays the viola on Fridays.", document
    assert document.metadata["documentDate"] == "2024-06-01", document.metadata
    assert client.namespaces.get(ADA).supporting_context == "Ada is a violist."
    raised(NotFoundError, lambda: client.documents.update(BO, document_id, content="Taken."))


def add_many_and_delete() -> None:
    batch = checked(
        client.documents.batch_add(
            BO,
            documents=[
                {"content": ""},
                {"content": "https://example.invalid/page", "metadata": {"list": ["a"]}},
                {"content": "Bo has a dog.", "id": f"dog-{WAY}", "metadata": {"kind": "pet"}},
                {"content": "Bo has a cat.", "date": "2024-05-02", "group": {"project": "pets"}},
            ],
            task_type="superrag",
            dreaming="instant",
        )
    )
    assert (batch.count, batch.failed) == (2, 2), batch
    assert [item.status for item in batch.results] == ["queued", "queued", "error", "error"], batch
    assert batch.results[3].url == "https://example.invalid/page", batch
    assert "metadata" in batch.results[3].details, batch
    dog, cat = (settled(client, BO, item.id) for item in batch.results[:2])
    assert cat.metadata == {"project": "pets", "documentDate": "2024-05-02"}, cat
    counts = checked(
        client.content_management.post_ns_by_namespace_list_documents_memory_counts(
            BO, ids=[dog.id, "no-such-document"]
        )
    ).counts
    assert [(count.id, count.memory_count) for count in counts] == [(dog.id, 0)], counts
    foreign = client.documents.get(ADA, CELLO).id
    gone = checked(client.documents.delete(BO, ids=[f"dog-{WAY}", cat.id, foreign, "no-such-document"]))
    assert (gone.count, [error.id for error in gone.errors]) == (2, ["no-such-document", foreign]), gone
    assert client.documents.get(ADA, CELLO).id == foreign
    raised(NotFoundError, lambda: client.documents.get(BO, dog.id))


def upload() -> None:
    note = ("bees.md", b"# Bees\n\nAda keeps her bees behind the orchard.\n", "text/markdown")
    uploaded = checked(
        client.documents.upload_file(
            ADA,
            file=note,
            supporting_context="Ada runs a farm.",
            metadata=json.dumps({"hives": 3}),
            group=json.dumps({"project": "farm"}),
            date="2024-05-02",
            task_type="memory",
            dreaming="instant",
            file_type="text",
            mime_type="text/markdown",
        )
    )
    document = settled(client, ADA, uploaded.id)
    assert "behind the orchard" in document.content, document
    assert document.metadata == {"hives": 3, "project": "farm", "documentDate": "2024-05-02"}, document
    moved = ("bees.md", b"# Bees\n\nAda keeps her bees beside the river.\n", "text/markdown")
    replaced = checked(
        client.documents.replace_with_file(ADA, uploaded.id, file=moved, metadata=json.dumps({"hives": 4}))
    )
    assert replaced.id == uploaded.id, replaced
    document = settled(client, ADA, uploaded.id)
    assert ("beside the river" in document.content, document.metadata["hives"]) == (True, 4), document
    checked(client.documents.update_file(ADA, uploaded.id, metadata=json.dumps({"hives": 5})))
    document = settled(client, ADA, uploaded.id)
    assert ("beside the river" in document.content, document.metadata["hives"]) == (True, 5), document
    checked(client.documents.update_file(ADA, uploaded.id, file=note))
    document = settled(client, ADA, uploaded.id)
    assert ("behind the orchard" in document.content, document.metadata["hives"]) == (True, 5), document
    raised(NotFoundError, lambda: client.documents.replace_with_file(BO, uploaded.id, file=note))


def search() -> None:
    found = checked(
        client.search(
            ADA,
            query=QUESTION,
            filter={
                "operator": "and",
                "operands": [
                    {"field": "kind", "operator": "contains", "value": "PAST", "caseSensitive": False},
                    {"field": "rank", "operator": "gte", "value": 3},
                    {"operator": "or", "operands": [HOBBY, {"field": "weekly", "operator": "eq", "value": True}]},
                ],
            },
            search_mode="hybrid",
            limit=5,
            include={"documents": True, "related": True, "forgotten": False},
            threshold=0.3,
            rerank="order",
            rewrite_query=True,
        )
    )
    first = found.results[0]
    assert "viola" in (first.memory or first.chunk), found
    assert (first.is_latest, first.is_inference) == (True, False), first
    assert first.included.document.metadata["kind"] == "pastime", first
    none = client.search(ADA, query=QUESTION, filter=HOBBY)
    assert none.results == [], none
    passages = checked(client.search(ADA, query=QUESTION, search_mode="chunks", rerank="aggregate"))
    assert all(result.chunk and not result.memory for result in passages.results), passages
    assert "viola" in passages.results[0].chunk, passages
    learned = checked(client.search(ADA, query=QUESTION, search_mode="memories"))
    assert "viola" in learned.results[0].memory, learned
    assert not any("viola" in (one.memory or one.chunk) for one in client.search(BO, query=QUESTION).results)


def lists() -> Any:
    page = checked(
        client.list(
            ADA,
            "documents",
            page=1,
            limit=1,
            sort="updatedAt",
            order="asc",
            filter={"field": "kind", "operator": "eq", "value": "pastime"},
            include={"content": True, "memory_count": True},
        )
    )
    assert [one.content for one in page.documents] == ["Ada plays the viola on Fridays."], page
    assert page.documents[0].system.memory_count > 0, page
    assert (page.pagination.total_items, page.pagination.limit, page.memories, page.chunks) == (1, 1, [], [])
    assert checked(client.list(ADA, "documents")).pagination.total_items == 2
    chunks = checked(client.list(ADA, "chunks", sort="position", order="asc", limit=100)).chunks
    assert [chunk.content for chunk in chunks if chunk.document_id == page.documents[0].id] == [
        "Ada plays the viola on Fridays."
    ], chunks
    memories = checked(client.list(ADA, "memories", limit=100)).memories
    return next(one for one in memories if "viola" in one.memory)


def memories(viola: Any) -> None:
    one = checked(client.memories.get(ADA, viola.id, include=["related", "documents"], related_limit=5))
    assert (one.memory, one.is_latest, one.is_forgotten) == (viola.memory, True, False), one
    assert one.included.document.metadata["kind"] == "pastime", one
    assert one.included.related.siblings is not None, one
    assert client.memories.get(ADA, viola.id).included is None
    raised(NotFoundError, lambda: client.memories.get(BO, viola.id))
    preview = checked(client.memories.forget_matching(ADA, query="viola", dry_run=True))
    assert viola.id in [match.id for match in preview.matches], preview
    elsewhere = checked(client.memories.forget(BO, ids=[viola.id]))
    assert (elsewhere.count, [error.id for error in elsewhere.errors]) == (0, [viola.id]), elsewhere
    gone = checked(client.memories.forget(ADA, ids=[viola.id, "no-such-memory"]))
    assert [match.id for match in gone.matches] == [viola.id], gone
    assert (gone.count, [error.id for error in gone.errors]) == (1, ["no-such-memory"]), gone
    assert viola.id not in [one.id for one in client.list(ADA, "memories", limit=100).memories]
    every = client.list(ADA, "memories", limit=100, include={"forgotten": True}).memories
    assert [one.is_forgotten for one in every if one.id == viola.id] == [True], every
    again = checked(
        client.search(ADA, query=QUESTION, search_mode="memories", include={"forgotten": True})
    )
    assert [one.is_latest for one in again.results if one.id == viola.id] == [False], again
    rest = checked(client.memories.forget_matching(ADA, query="bees", dry_run=False))
    assert rest.count == len(rest.matches) > 0, rest


def profiles() -> None:
    settled(client, BO, client.add(BO, content="Bo is a carpenter. Bo lives in Lagos.", dreaming="instant").id)
    assert checked(client.profiles.set_buckets(BO, buckets={"sea": "Boats and harbours."})).buckets[
        "sea"
    ] == "Boats and harbours."
    more = checked(client.profiles.set_buckets(BO, buckets={"sea": "Boats.", "work": "Work."})).buckets
    assert (more["sea"], more["work"]) == ("Boats.", "Work."), more
    assert checked(client.profiles.get_buckets(BO)).buckets == more
    known = checked(client.profile(BO, buckets=["sea"])).profile
    facts = [*known.static, *known.dynamic]
    assert any("Lagos" in fact.memory for fact in facts), known
    assert list(known.buckets) == ["sea"], known
    stored = {one.id: one.memory for one in client.list(BO, "memories", limit=100).memories}
    assert all(stored[fact.id] == fact.memory for fact in facts), (facts, stored)
    assert checked(client.profile(BO, filter={"field": "kind", "operator": "neq", "value": "x"})).profile
    shared = next(key for key in more if key not in ("sea", "work"))
    raised(ConflictError, lambda: client.profiles.set_buckets(BO, buckets={shared: "Mine."}))
    raised(ConflictError, lambda: client.profiles.delete_buckets(BO, buckets=[shared]))
    assert client.profiles.get_buckets(BO).buckets == more
    left = checked(client.profiles.delete_buckets(BO, buckets=["sea", "unknown"])).buckets
    assert ("sea" in left, "work" in left) == (False, True), left


def organisation() -> None:
    told = checked(client.organization.update(organizational_context="We build boats."))
    assert told.organizational_context == "We build boats.", told
    known = checked(client.organization.get())
    assert known.organizational_context == "We build boats." and known.namespace_count >= 2, known
    assert checked(client.organization.update(organizational_context=None)).organizational_context is None


def namespaces() -> None:
    listed = checked(client.namespaces.list(page=1, limit=100, q=f"PY5_{WAY}".upper()))
    assert [one.namespace for one in listed.namespaces] == [ADA], listed
    assert listed.namespaces[0].document_count == 2, listed
    updated = checked(client.namespaces.update(ADA, supporting_context="Ada is an artist."))
    assert (updated.namespace, updated.supporting_context) == (ADA, "Ada is an artist."), updated
    assert checked(client.namespaces.update(ADA, supporting_context=None)).supporting_context is None
    raised(NotFoundError, lambda: client.namespaces.get(f"py5_{WAY}_nobody"))
    client.add(KEPT, content="The archive is kept here.")
    moved = checked(client.namespaces.delete(BO, move_to=KEPT))
    assert (moved.status, moved.namespace, moved.move_to) == ("queued", BO, KEPT), moved

    def is_moved() -> bool:
        return BO not in [one.namespace for one in client.namespaces.list(limit=100, q=BO).namespaces]

    until("the move", is_moved)
    assert client.list(KEPT, "documents").pagination.total_items > 1
    gone = checked(client.namespaces.delete(KEPT))
    assert (gone.status, gone.namespace) == ("deleted", KEPT), gone
    assert gone.deleted_documents_count > 1, gone


def connectors() -> list[int]:
    assert checked(client.connectors.list_all(provider="notion", page=1, limit=5)).connectors == []
    assert checked(client.connectors.list(ADA)).pagination.total_items == 0
    calls = [
        lambda: client.connectors.create(ADA, request={"provider": "notion"}),
        lambda: client.connectors.get(ADA, "none", include=["syncs"]),
        lambda: client.connectors.update(ADA, "none", document_limit=5),
        lambda: client.connectors.delete(ADA, "none", delete_documents=False),
        lambda: client.connectors.sync(ADA, "none"),
    ]
    return [raised(APIStatusError, call).status_code for call in calls]


def errors() -> list[int]:
    bound = open_client(api_key=os.environ["MEMOIR_BOUND_KEY"], base_url=URL)
    foreign = open_client(api_key="sm_nobody_0123456789abcdefghij")
    seen = [
        raised(AuthenticationError, lambda: foreign.search(ADA, query=QUESTION)),
        raised(NotFoundError, lambda: client.documents.get(ADA, "no-such-document")),
        raised(BadRequestError, lambda: client.search(ADA, query="")),
        raised(PermissionDeniedError, lambda: bound.search(ADA, query=QUESTION)),
        raised(BadRequestError, lambda: client.list(ADA, "documents", sort="position")),
        raised(NotFoundError, lambda: client.feedback.post_feedback(type="bug", title="x", description="x")),
    ]
    assert "query" in seen[2].body["error"], seen[2].body
    assert seen[1].response.headers["x-request-id"], seen[1]
    return [error.status_code for error in seen]


document_id = add_and_read()
change(document_id)
add_many_and_delete()
upload()
search()
viola = lists()
memories(viola)
profiles()
organisation()
namespaces()
tell(id=document_id, connectors=connectors(), errors=errors())
