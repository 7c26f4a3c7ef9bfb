// A whole service whose vectors are divided over shards: what it asks, and a change of the number.
import { expect, onTestFinished, test } from 'vitest';
import { startMemoir } from '../support/memoir.ts';
import { until } from '../support/until.ts';
import { collectionsOf, heldBy } from './support/chroma.ts';
import { unitNumbers } from './support/database.ts';
import { type ExternalChroma, startExternalChroma } from './support/external-chroma.ts';
import { addAll, search, settledWhole, textsOf } from './support/memoir.ts';
import { documentsOf, noteOf, sampleOf } from './support/texts.ts';

const TAGS = 6;
const EACH = 60;
/** A tag alone is a wide scope. */
const WIDE = { narrow: 40 };
const EVERYTHING = [...Array(TAGS * EACH).keys()];

const tagOf = (number: number): string => `tag-${Math.floor(number / EACH)}`;

/** The paths of the queries that a search makes. */
const queriesOf = async ({ door }: ExternalChroma, run: () => Promise<void>): Promise<string[]> => {
  const asked: string[] = [];
  door.turn(async ({ path }, pass) => {
    if (path.endsWith('/query')) asked.push(path);
    return pass();
  });
  await run();
  door.turn();
  return asked;
};

const heldIn = async ({ url }: ExternalChroma) => {
  const collections = await collectionsOf(url());
  const held = await Promise.all(collections.map((each) => heldBy(url(), each)));
  return { names: collections.map(({ name }) => name).sort(), numbers: held.flat().sort((a, b) => a - b) };
};

test('another number of shards is filled from the store, the former collections go, and all is found, also while each query is refused', async () => {
  const chroma = await startExternalChroma();
  onTestFinished(() => chroma.close());
  const memoir = await startMemoir({ CHROMA_URL: chroma.door.url }, { searchLimits: WIDE });
  onTestFinished(() => memoir.close());
  for (let tag = 0; tag < TAGS; tag++)
    await addAll(memoir, documentsOf(tag * EACH, EACH, { containerTag: tagOf(tag * EACH) }));
  await settledWhole(memoir);
  expect((await heldIn(chroma)).names).toEqual([expect.stringMatching(/^memoir-\w+-1$/)]);

  for (const shards of [4, 1]) {
    await memoir.restart({ CHROMA_SHARDS: `${shards}` });
    const checked = sampleOf(EVERYTHING.length, 10, shards);
    for (const number of checked)
      expect(textsOf(await search(memoir, noteOf(number)))[0]).toBe(noteOf(number));
    await settledWhole(memoir);
    const { names, numbers } = await heldIn(chroma);
    const end = shards === 1 ? /-1$/ : new RegExp(`-1\\.\\d-of-${shards}$`);
    expect(names).toEqual(names.filter((name) => end.test(name)));
    expect(numbers).toEqual(unitNumbers(memoir.dir));

    const [first = 0] = checked;
    const scope = { containerTag: tagOf(first) };
    await until('one shard to be asked', async () => {
      const asked = await queriesOf(chroma, async () => {
        expect(textsOf(await search(memoir, noteOf(first), scope))[0]).toBe(noteOf(first));
      });
      return asked.length === 1;
    });
    const everywhere = await queriesOf(chroma, async () => {
      for (const number of checked)
        expect(textsOf(await search(memoir, noteOf(number)))[0]).toBe(noteOf(number));
    });
    expect(new Set(everywhere).size).toBe(names.length);
  }

  chroma.door.turn(async ({ path }, pass) =>
    path.endsWith('/query') ? { status: 429, body: Buffer.from('{"message":"Too many requests"}') } : pass(),
  );
  const refused = chroma.door.count('query');
  const found = await search(memoir, noteOf(7), { containerTag: tagOf(7) });
  expect([found.status, textsOf(found)[0]]).toEqual([200, noteOf(7)]);
  expect(chroma.door.count('query')).toBeGreaterThan(refused + 1);
}, 120_000);
