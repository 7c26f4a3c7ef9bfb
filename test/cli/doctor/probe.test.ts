// The probe of memoir doctor, on a whole Memoir: what it proves, and what it says of a Memoir that only seems to work.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, folderClient } from '../../../server/cli/connection/client.ts';
import { runProbe } from '../../../server/cli/doctor/probe.ts';
import { createPrint } from '../../../server/cli/output/print.ts';
import { chromaOf, heldNumbers } from '../../service/support/chroma.ts';
import { pendingIn, unitNumbers } from '../../service/support/database.ts';
import { placesOf, straysIn, vectorNumbers } from '../../service/support/left.ts';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { until } from '../../support/until.ts';

let memoir: OwnMemoir;
let client: Client;
beforeAll(async () => {
  memoir = await startMemoir();
  client = folderClient(memoir.memoir, memoir.key);
});
afterAll(() => memoir.close());

const print = createPrint(true);

/** The same Memoir with one operation that answers something else; what it is asked is handed on. */
const withAnswer = (
  operation: string,
  answer: (honest: () => Promise<unknown>) => Promise<unknown>,
): Client => ({
  ...client,
  call: (asked, input) => {
    const honest = () => client.call(asked, input);
    return (asked.name === operation ? answer(honest) : honest()) as ReturnType<typeof honest>;
  },
});

test('a sound Memoir adds, remembers, finds and deletes it, and none of its indexes holds anything of it', async () => {
  await memoir.add({ content: 'user: I like oysters.' });
  let word = '';
  const listening: Client = {
    ...client,
    call(asked, input) {
      word ||= /probe\w+/.exec(JSON.stringify(input))?.[0] ?? '';
      return client.call(asked, input);
    },
  };
  expect(await runProbe(listening, print)).toMatch(/^added, remembered, found and deleted in \d+ ms$/);
  expect(word).toMatch(/^probe\w{12}$/);
  await until('every row of it to be erased', () => placesOf(memoir.dir, word).length === 0);
  await until('every vector of it to be taken back', () => pendingIn(memoir.dir) === 0);
  expect(straysIn(memoir.dir)).toEqual([]);
  const units = unitNumbers(memoir.dir);
  expect(vectorNumbers(memoir.dir)).toEqual(units);
  expect(await heldNumbers(chromaOf(memoir.dir)?.url ?? '')).toEqual(units);
});

describe('a Memoir that only seems to work is told where it does not', () => {
  const nothing = async () => ({ results: [], timing: 1, total: 0, documents: [], memoryEntries: [] });

  test.each([
    ['search.documents', /is done, but is not found by its words, by meaning\./],
    ['documents.byIds', /is done, but is not found by its id\./],
    ['search.memories', /is done, but is not found as a memory\./],
    ['memories.list', /no memory was drawn from it/],
  ])('when %s finds nothing', async (operation, sentence) => {
    await expect(runProbe(withAnswer(operation, nothing), print)).rejects.toThrow(sentence);
  });

  test('when a deletion is answered and not done', async () => {
    const forgetful = withAnswer('documents.delete', async () => null);
    const all = 'by its id, by its words, by meaning, in the list of memories, as a memory';
    await expect(runProbe(forgetful, print)).rejects.toThrow(`is still found after its deletion, ${all}.`);
    await memoir.ask('DELETE', '/v3/documents/bulk', { containerTags: ['memoir-doctor'] });
  });

  test('when memories cannot be drawn, with the reason', async () => {
    const failing = withAnswer('documents.get', async (honest) => ({
      ...((await honest()) as object),
      memoryFailure: { code: 'model_unavailable', message: 'The model is away.', retryable: true },
    }));
    await expect(runProbe(failing, print)).rejects.toThrow(
      /drawing memories from it failed: The model is away\./,
    );
  });
});

test('a memory that the settings leave out is no failure, and is said', async () => {
  const filter = { shouldLLMFilter: true, excludeItems: ['like'] };
  expect((await memoir.ask('PATCH', '/v3/settings', filter)).status).toBe(200);
  expect(await runProbe(client, print)).toMatch(
    /^added, found and deleted \(its memory was left out by the filter in the settings\)/,
  );
});
