// Tests of the tokens that language models used: their sums by key and by container tag.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createClock } from '../../../../support/clock.ts';
import { openTestStore } from '../../../../support/store.ts';
import { everything, submission } from '../../contract/world.ts';

const DAY = 86_400_000;

test('tokens are summed by key and day, and for each of the tags that still exist', async () => {
  const clock = createClock();
  const { store, file, close } = openTestStore({ now: clock.now });
  await store.documents.submit(everything, [
    submission('a', { tags: ['a'] }),
    submission('b', { tags: ['b'] }),
  ]);
  await store.usage.add({ key: 'k', tags: ['a', 'b', 'gone'] }, { inputTokens: 5, outputTokens: 2 });
  await store.usage.add({ key: 'k', tags: ['b'] }, { inputTokens: 10, outputTokens: 1 });
  clock.pass(DAY);
  await store.usage.add({ key: null, tags: ['b'] }, { inputTokens: 1, outputTokens: 3 });
  expect(Object.fromEntries(await store.usage.ofKeys())).toEqual({
    k: { inputTokens: 15, outputTokens: 3 },
    '': { inputTokens: 1, outputTokens: 3 },
  });
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database
    .prepare(
      `select tags.tag, input_tokens as input, output_tokens as output from tag_tokens
         inner join tags on tags.n = tag_tokens.tag order by tags.tag, day`,
    )
    .all();
  database.close();
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { tag: 'a', input: 5, output: 2 },
    { tag: 'b', input: 15, output: 3 },
    { tag: 'b', input: 1, output: 3 },
  ]);
  await close();
});

test('the tokens of a tag are erased with it', async () => {
  const { store, file, close } = openTestStore();
  await store.documents.submit(everything, [submission('a', { tags: ['a'] })]);
  await store.usage.add({ key: 'k', tags: ['a'] }, { inputTokens: 5, outputTokens: 2 });
  const database = new DatabaseSync(file, { readOnly: true });
  const kept = () => database.prepare('select count(*) as n from tag_tokens').get()?.n;
  expect(kept()).toBe(1);
  await store.tags.remove(everything, 'a');
  expect(kept()).toBe(0);
  database.close();
  await close();
});
