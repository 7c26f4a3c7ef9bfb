// Type tests of the client: valid calls compile, and invalid calls do not.
import {
  type Document,
  type EndState,
  filtersFor,
  type ListedDocument,
  Memoir,
  type SearchMemoriesResponse,
  where,
} from '../../sdk/src/index.generated.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T | undefined => undefined;

export const compiles = async (client: Memoir): Promise<void> => {
  const { id, status } = await client.add({
    content: 'a',
    containerTag: 'b',
    metadata: { n: 1, s: 's', b: true },
  });
  holds<Equal<typeof id, string>>();
  if (status === 'queued') await client.documents.delete(id);

  const document = await client.documents.addAndWait({ content: 'a' }, { onProgress: ({ step }) => step });
  holds<Equal<typeof document, Document>>();
  const ends: EndState[] = ['done', 'failed'];
  ends.includes('done');

  for await (const one of client.documents.list({ limit: 5 })) holds<Equal<typeof one, ListedDocument>>();
  const { data } = await client.search({ q: 'a', searchMode: 'hybrid' }).withResponse();
  holds<Equal<typeof data, SearchMemoriesResponse>>();
  const nothing = await client.documents.delete('a');
  holds<Equal<typeof nothing, null>>();
  await client.profile({ containerTag: 'a' }, { signal: AbortSignal.timeout(1), timeout: 5, maxRetries: 0 });
  await client.documents.uploadFile({ file: fetch('data:,a'), metadata: { kind: 'a' } });
  await client.search({
    q: 'a',
    filters: where.and(where.eq('anything', 1), where.or(where.not(where.eq('b', 'c')))),
  });
  const error: unknown = new Error();
  if (error instanceof Memoir.RateLimitError) error.headers.get('retry-after');
  // A word of a later server is a string like any other.
  const later: Document['status'] = 'polishing';
  holds<Equal<typeof later extends string ? true : false, true>>();
};

export const refuses = async (client: Memoir): Promise<void> => {
  // @ts-expect-error content must be given
  await client.add({ containerTag: 'a' });
  // @ts-expect-error metadata is flat
  await client.add({ content: 'a', metadata: { deep: { er: 1 } } });
  // @ts-expect-error there is no such mode; what is asked is not open
  await client.search({ q: 'a', searchMode: 'telepathic' });
  // @ts-expect-error a field that is misspelt
  await client.search({ q: 'a', containerTga: 'b' });
  // @ts-expect-error an id is text
  await client.documents.get(7);
  // @ts-expect-error a file must be given
  await client.documents.uploadFile({ containerTag: 'a' });
  // @ts-expect-error there is no such method
  await client.documents.destroy('a');
  // @ts-expect-error a condition is no group
  await client.search({ q: 'a', filters: where.eq('kind', 'note') });

  const at = filtersFor<{ kind: 'note' | 'mail'; year: number }>();
  // @ts-expect-error no such key
  at.eq('colour', 'blue');
  // @ts-expect-error no such value
  at.eq('kind', 'letter');
  // @ts-expect-error text is not compared as a number
  at.gt('kind', 3);
  // @ts-expect-error a group holds something
  at.and();
};
