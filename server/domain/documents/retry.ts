// Running failed and waiting documents again, by filter.
import type { RetryInput } from '../../../tools/documents/schemas/inputs.ts';
import type { RetryOutput } from '../../../tools/documents/schemas/outputs.ts';
import type { DocumentRecord, DocumentStore, ListQuery } from '../../adapters/store/ports/documents.ts';
import type { Caller } from '../../core/principal.ts';
import { defined } from '../../lib/defined.ts';

const LISTED_AT_ONCE = 1000;
const RETRIED_AT_ONCE = 100;

const hasFailed = ({ failure, memoryFailure }: DocumentRecord): boolean =>
  failure !== null || memoryFailure !== null;

/** All ids are read before the first document changes, because a change moves the pages. */
const failedIds = async (
  documents: DocumentStore,
  { scope }: Caller,
  query: Omit<ListQuery, 'offset'>,
): Promise<string[]> => {
  const ids: string[] = [];
  for (let offset = 0; ; offset += LISTED_AT_ONCE) {
    const { documents: page } = await documents.list(scope, { ...query, offset });
    ids.push(...page.filter(hasFailed).map(({ id }) => id));
    if (page.length < LISTED_AT_ONCE) return ids;
  }
};

/** The filter is evaluated by reads, in slices, so that no write waits for it. */
export const retryMatching = async (
  documents: DocumentStore,
  caller: Caller,
  input: RetryInput,
): Promise<RetryOutput> => {
  const ids = await failedIds(documents, caller, {
    ...{ sort: 'createdAt', order: 'asc', limit: LISTED_AT_ONCE, content: false },
    steps: input.status ?? ['failed', 'queued'],
    ...defined({
      filter: input.filters,
      filepath: input.filepath,
      [input.operator === 'AND' ? 'allTags' : 'anyTags']: input.tags,
    }),
  });
  let retried = 0;
  for (let at = 0; at < ids.length; at += RETRIED_AT_ONCE)
    retried += await documents.retryAll(caller.scope, ids.slice(at, at + RETRIED_AT_ONCE));
  return { retried };
};
