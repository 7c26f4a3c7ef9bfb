"""Files, as the published client sends them."""

import io
import json
import tempfile
from pathlib import Path

from supermemory import BadRequestError, Supermemory
from support import checked, raised, remembered, tell

client = Supermemory(max_retries=0)

with tempfile.TemporaryDirectory() as folder:
    note = Path(folder) / "bees.md"
    note.write_text("# Bees\n\nAda keeps her bees behind the orchard.\n")
    uploaded = checked(
        client.documents.upload_file(
            file=note,
            container_tag="py-farm",
            custom_id="py-bees",
            metadata=json.dumps({"kind": "note", "hives": 3}),
            filepath="/farm/bees.md",
            entity_context="Ada runs a farm.",
            filter_by_metadata=json.dumps({"kind": "note"}),
            dreaming="instant",
            task_type="memory",
            use_advanced_processing="true",
        )
    )
document = checked(remembered(client, uploaded.id))
assert "behind the orchard" in document.content
assert (document.custom_id, document.filepath) == ("py-bees", "/farm/bees.md")
assert document.metadata == {"kind": "note", "hives": 3}, document.metadata

table = client.documents.upload_file(
    file=("honey.csv", io.BytesIO(b"hive,honey\nnorth,12\n"), "text/csv"),
    container_tags=json.dumps(["py-farm", "py-honey"]),
)
assert remembered(client, table.id).container_tags == ["py-farm", "py-honey"]

found = client.search.documents(q="Where are the bees?", container_tags=["py-farm"])
assert found.results[0].document_id == uploaded.id, found

refused = raised(
    BadRequestError, lambda: client.documents.upload_file(file=("x.png", b"x"), file_type="image")
)
tell(content=document.content, refused=refused.status_code)
