"""Each error arrives as the class of its status, with the sentence of Memoir."""

import os

from supermemory import (
    APIStatusError,
    AuthenticationError,
    BadRequestError,
    NotFoundError,
    PermissionDeniedError,
    Supermemory,
)
from support import URL, raised, tell

client = Supermemory(max_retries=0)
foreign = Supermemory(api_key="sm_nobody_0123456789abcdefghij", max_retries=0)
bound = Supermemory(api_key=os.environ["MEMOIR_BOUND_KEY"], base_url=URL, max_retries=0)

unauthorized = raised(AuthenticationError, lambda: foreign.documents.list())
missing = raised(NotFoundError, lambda: client.documents.get("no-such-document"))
invalid = raised(BadRequestError, lambda: client.add(content=""))
forbidden = raised(PermissionDeniedError, lambda: bound.add(content="x", container_tag="py-foreign"))
# It is not retried, although the client retries errors of the server: x-should-retry forbids it.
unbuilt = raised(APIStatusError, lambda: Supermemory(max_retries=2).connections.create("granola"))

tell(
    statuses=[error.status_code for error in (unauthorized, missing, invalid, forbidden, unbuilt)],
    forbidden=forbidden.message,
    body=invalid.body,
)
