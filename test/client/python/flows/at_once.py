"""The published asynchronous client with many calls at once."""

import asyncio

from supermemory import AsyncSupermemory, NotFoundError, Supermemory
from support import checked, remembered, tell, text_of


async def main() -> None:
    async with AsyncSupermemory(max_retries=0) as client:
        instruments = ["harp", "flute", "drums"]
        added = await asyncio.gather(
            *(client.add(content=f"Bo plays the {name}.", container_tag="py-bo") for name in instruments)
        )
        uploaded = await client.documents.upload_file(
            file=("boat.txt", b"Bo keeps a boat in Lagos."), container_tag="py-bo"
        )
        with Supermemory(max_retries=0) as reader:
            for document in [*added, uploaded]:
                remembered(reader, document.id)
        found, profile = await asyncio.gather(
            client.search.memories(q="Where is the boat of Bo?", container_tag="py-bo", search_mode="hybrid"),
            client.profile(container_tag="py-bo", q="instruments of Bo", threshold=0.1),
        )
        assert "Lagos" in text_of(checked(found).results[0]), found
        assert checked(profile).search_results.results, profile
        listed = await client.documents.list(container_tags=["py-bo"])
        assert listed.pagination.total_items == 4, listed
        try:
            await client.documents.get("no-such-document")
        except NotFoundError as error:
            status = error.status_code
        await client.documents.delete_bulk(container_tags=["py-bo"])
        left = await client.documents.list(container_tags=["py-bo"])
        tell(status=status, left=left.pagination.total_items)


asyncio.run(main())
