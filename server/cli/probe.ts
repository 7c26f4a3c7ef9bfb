// A document that is really added, found and deleted again: if that works, everything does.
import { randomBytes } from 'node:crypto';
import { addDocument } from '../../tools/documents/add.ts';
import { deleteDocument } from '../../tools/documents/delete.ts';
import { searchMemories } from '../../tools/search/memories.ts';
import type { Client } from './client.ts';
import { untilFinished } from './follow.ts';
import type { Print } from './print.ts';

const TAG = 'memoir-doctor';
const LIMIT_MS = 30_000;

async function find({ call }: Client, id: string, word: string): Promise<boolean> {
  const { results } = await call(searchMemories, {
    q: word,
    containerTag: TAG,
    searchMode: 'hybrid',
    threshold: 0,
    include: { documents: true },
  });
  return results.some(({ documents }) => documents?.some((document) => document.id === id));
}

async function addAndFind(client: Client, id: string, word: string, print: Print): Promise<void> {
  const { status, failure } = await untilFinished(client, id, print, LIMIT_MS);
  if (status === 'failed') {
    throw new Error(`The probe document failed: ${failure?.message ?? 'the server does not say why'}`);
  }
  if (!(await find(client, id, word))) {
    throw new Error(`The probe document ${id} is done, but a search for its own word does not find it.`);
  }
}

/** Nothing of the probe is left behind, whatever happens to it. */
export async function probe(client: Client, print: Print): Promise<string> {
  const began = performance.now();
  const word = `probe${randomBytes(6).toString('hex')}`;
  const { id } = await client.call(addDocument, {
    content: `This is the ${word} of memoir doctor. It is deleted again at once.`,
    containerTag: TAG,
  });
  try {
    await addAndFind(client, id, word, print);
  } finally {
    await client.call(deleteDocument, { id });
  }
  if (await find(client, id, word))
    throw new Error(`The probe document ${id} is still found after its deletion.`);
  return `added, found and deleted in ${Math.round(performance.now() - began)} ms`;
}
