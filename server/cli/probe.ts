// A document that is really added, remembered, found and deleted again: if that works, everything does.
import { randomBytes } from 'node:crypto';
import { addDocument } from '../../tools/documents/add.ts';
import { documentsByIds } from '../../tools/documents/by-ids.ts';
import { deleteDocument } from '../../tools/documents/delete.ts';
import { listMemories } from '../../tools/memories/list.ts';
import { searchDocuments } from '../../tools/search/documents.ts';
import { searchMemories } from '../../tools/search/memories.ts';
import { getSettings } from '../../tools/settings/get.ts';
import type { Client } from './client.ts';
import { untilFinished } from './follow.ts';
import type { Print } from './print.ts';

const TAG = 'memoir-doctor';
/** A language model may be asked for the memory. */
const LIMIT_MS = 60_000;
/** More than other probes could leave under the tag at the same time. */
const MOST = 100;

interface Probe {
  client: Client;
  id: string;
  word: string;
}

/** Each looks into one index, or into the rows themselves, for what is left of the probe. */
type Look = (probe: Probe) => Promise<boolean>;

const asked = ({ word }: Probe) => ({ q: `Who likes ${word}?`, containerTag: TAG, limit: MOST });

const passage =
  (searchMode: 'keyword' | 'semantic'): Look =>
  async (probe) => {
    const { results } = await probe.client.call(searchDocuments, { ...asked(probe), searchMode });
    return results.some(({ documentId }) => documentId === probe.id);
  };

/** By words and by meaning at once: alone, either would show the passage for the memory that it states. */
const memory: Look = async (probe) => {
  const include = { forgottenMemories: true };
  const request = { ...asked(probe), searchMode: 'memories' as const, include, threshold: 0 };
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
  'by its words': passage('keyword'),
  'by meaning': passage('semantic'),
};

const OF_ITS_MEMORY: Readonly<Record<string, Look>> = {
  'in the list of memories': memoryRow,
  'as a memory': memory,
};

/** Where the probe shows, or where it does not. */
async function places(
  probe: Probe,
  looks: Readonly<Record<string, Look>>,
  shows: boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const [place, look] of Object.entries(looks)) if ((await look(probe)) === shows) found.push(place);
  return found;
}

async function find(probe: Probe, looks: Readonly<Record<string, Look>>): Promise<void> {
  const missing = await places(probe, looks, false);
  if (missing.length > 0)
    throw new Error(`The probe document ${probe.id} is done, but is not found ${missing.join(', ')}.`);
}

/** What the organisation wants left out may well be left out. */
async function isFiltered({ client }: Probe): Promise<boolean> {
  return (await client.call(getSettings, {})).shouldLLMFilter === true;
}

/** Whether there is a memory of it to look for. */
async function isRemembered(probe: Probe): Promise<boolean> {
  if (await memoryRow(probe)) return true;
  if (await isFiltered(probe)) return false;
  throw new Error(
    `The probe document ${probe.id} is searchable, but no memory was drawn from it. Where a language model reads, look at its settings; the log may say more.`,
  );
}

async function finish({ client, id }: Probe, print: Print): Promise<void> {
  const { status, failure, memoryFailure } = await untilFinished(client, id, print, LIMIT_MS);
  if (status === 'failed')
    throw new Error(`The probe document failed: ${failure?.message ?? 'the server does not say why'}`);
  if (memoryFailure !== null)
    throw new Error(
      `The probe document is searchable, but drawing memories from it failed: ${memoryFailure.message}`,
    );
}

async function examine(probe: Probe, print: Print): Promise<string> {
  await finish(probe, print);
  await find(probe, OF_THE_DOCUMENT);
  if (!(await isRemembered(probe)))
    return 'the filter in the settings left its memory out; added, found and deleted';
  await find(probe, OF_ITS_MEMORY);
  return 'added, remembered, found and deleted';
}

/** Nothing of the probe is left behind, whatever happens to it. */
export async function probe(client: Client, print: Print): Promise<string> {
  const began = performance.now();
  const word = `probe${randomBytes(6).toString('hex')}`;
  const { id } = await client.call(addDocument, {
    content: `user: I like ${word}.\nassistant: So memoir doctor says, and deletes it again at once.`,
    containerTag: TAG,
    dreaming: 'instant',
  });
  const added: Probe = { client, id, word };
  let what: string;
  try {
    what = await examine(added, print);
  } finally {
    await client.call(deleteDocument, { id });
  }
  const left = await places(added, { ...OF_THE_DOCUMENT, ...OF_ITS_MEMORY }, true);
  if (left.length > 0)
    throw new Error(`The probe document ${id} is still found after its deletion, ${left.join(', ')}.`);
  return `${what} in ${Math.round(performance.now() - began)} ms`;
}
