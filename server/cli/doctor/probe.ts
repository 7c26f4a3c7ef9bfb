// The probe of `memoir doctor`: adds a document, finds it and its memory, deletes it, and checks that nothing is left.
import { randomBytes } from 'node:crypto';
import { addDocument } from '../../../tools/documents/add.ts';
import { documentsByIds } from '../../../tools/documents/by-ids.ts';
import { deleteDocument } from '../../../tools/documents/delete.ts';
import { listMemories } from '../../../tools/memories/list.ts';
import { searchDocuments } from '../../../tools/search/documents.ts';
import { searchMemories } from '../../../tools/search/memories.ts';
import { getSettings } from '../../../tools/settings/get.ts';
import type { Client } from '../connection/client.ts';
import type { Print } from '../output/print.ts';
import { untilFinished } from '../upload/wait-until-processed.ts';

const TAG = 'memoir-doctor';
/** Long enough for a language model that draws the memory. */
const LIMIT_MS = 60_000;
/** More results than parallel probes could leave under the tag. */
const MOST = 100;

interface Probe {
  client: Client;
  id: string;
  word: string;
}

/** Looks for the probe in one index, or in the rows themselves. */
type Look = (probe: Probe) => Promise<boolean>;

const probeQuery = ({ word }: Probe) => ({ q: `Who likes ${word}?`, containerTag: TAG, limit: MOST });

const passageFound =
  (searchMode: 'keyword' | 'semantic'): Look =>
  async (probe) => {
    const { results } = await probe.client.call(searchDocuments, { ...probeQuery(probe), searchMode });
    return results.some(({ documentId }) => documentId === probe.id);
  };

/** Searches by words and by meaning at once: either alone would show the passage instead of the memory. */
const memoryFound: Look = async (probe) => {
  const include = { forgottenMemories: true };
  const request = { ...probeQuery(probe), searchMode: 'memories' as const, include, threshold: 0 };
  const { results } = await probe.client.call(searchMemories, request);
  return results.some((result) => result.memory?.includes(probe.word) === true);
};

const documentRow: Look = async ({ client, id }) =>
  (await client.call(documentsByIds, { ids: [id] })).documents.length > 0;

const memoryRow: Look = async ({ client, id }) => {
  const { memoryEntries } = await client.call(listMemories, { containerTag: TAG, limit: MOST });
  return memoryEntries.some(({ documentIds }) => documentIds.includes(id));
};

const OF_THE_DOCUMENT: Readonly<Record<string, Look>> = {
  'by its id': documentRow,
  'by its words': passageFound('keyword'),
  'by meaning': passageFound('semantic'),
};

const OF_ITS_MEMORY: Readonly<Record<string, Look>> = {
  'in the list of memories': memoryRow,
  'as a memory': memoryFound,
};

/** The places in which the probe shows, or in which it does not. */
const placesWhere = async (
  probe: Probe,
  looks: Readonly<Record<string, Look>>,
  shows: boolean,
): Promise<string[]> => {
  const found: string[] = [];
  for (const [place, look] of Object.entries(looks)) if ((await look(probe)) === shows) found.push(place);
  return found;
};

const requireFound = async (probe: Probe, looks: Readonly<Record<string, Look>>): Promise<void> => {
  const missing = await placesWhere(probe, looks, false);
  if (missing.length > 0)
    throw new Error(
      `The probe document ${probe.id} is done, but is not found ${missing.join(', ')}. Look at the log of the server.`,
    );
};

/** True: the organisation filters memories, so a missing memory is no failure. */
const isFiltered = async ({ client }: Probe): Promise<boolean> => {
  return (await client.call(getSettings, {})).shouldLLMFilter === true;
};

/** True: a memory was drawn from the probe. */
const isRemembered = async (probe: Probe): Promise<boolean> => {
  if (await memoryRow(probe)) return true;
  if (await isFiltered(probe)) return false;
  throw new Error(
    `The probe document ${probe.id} is searchable, but no memory was drawn from it. If a language model is configured, check its settings, and look at the log of the server.`,
  );
};

const waitUntilRemembered = async ({ client, id }: Probe, print: Print): Promise<void> => {
  const { status, failure, memoryFailure } = await untilFinished(client, id, print, LIMIT_MS);
  if (status === 'failed')
    throw new Error(
      `The probe document failed: ${failure?.message ?? 'the server gives no reason; look at its log.'}`,
    );
  if (memoryFailure !== null)
    throw new Error(
      `The probe document is searchable, but drawing memories from it failed: ${memoryFailure.message}`,
    );
};

const checkProbe = async (probe: Probe, print: Print): Promise<string> => {
  await waitUntilRemembered(probe, print);
  await requireFound(probe, OF_THE_DOCUMENT);
  if (!(await isRemembered(probe)))
    return 'added, found and deleted (its memory was left out by the filter in the settings)';
  await requireFound(probe, OF_ITS_MEMORY);
  return 'added, remembered, found and deleted';
};

/** Deletes the probe in every case, also after a failed check. */
export const runProbe = async (client: Client, print: Print): Promise<string> => {
  const began = performance.now();
  const word = `probe${randomBytes(6).toString('hex')}`;
  const { id } = await client.call(addDocument, {
    content: `user: I like ${word}.\nassistant: memoir doctor added this and deletes it at once.`,
    containerTag: TAG,
    dreaming: 'instant',
  });
  const added: Probe = { client, id, word };
  let what: string;
  try {
    what = await checkProbe(added, print);
  } finally {
    await client.call(deleteDocument, { id });
  }
  const left = await placesWhere(added, { ...OF_THE_DOCUMENT, ...OF_ITS_MEMORY }, true);
  if (left.length > 0)
    throw new Error(
      `The probe document ${id} is still found after its deletion, ${left.join(', ')}. Look at the log of the server.`,
    );
  return `${what} in ${Math.round(performance.now() - began)} ms`;
};
