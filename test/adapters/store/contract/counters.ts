// Counters equal the counted rows after any operations in any order.
import { describe, expect, test } from 'vitest';
import type { DocumentToCommit } from '../../../../server/adapters/store/ports/ingestion/commits.ts';
import { CONTAINER_SPAN } from '../../../../server/core/chunks/chunk-number.ts';
import { type Chance, chanceOf } from './chance.ts';
import { readClaim, SPACE } from './reading.ts';
import { contentPatch, everything, type OpenStore, openWorld, type World } from './world.ts';

const SEED = 20_260_301;
const STEPS = 250;

const WORDS = ['one', 'two', 'three', 'four', 'five'];
const TAGS = [['a'], ['b'], ['a', 'b'], ['c']];

const textOf = (chance: Chance): string =>
  Array.from({ length: chance.below(5) }, () =>
    Array.from({ length: 1 + chance.below(4) }, () => chance.pick(WORDS)).join(' '),
  ).join('\n\n');

/** Pieces of messages, as long replies are cut: several share a position, and a message's length is all of theirs. */
const inMessages = (read: DocumentToCommit, perMessage: number): DocumentToCommit => {
  const all = [...read.added, ...read.kept].sort((a, b) => a.position - b.position);
  const lengths = new Map<number, number>();
  const lengthOf = (chunk: (typeof all)[number]) =>
    'former' in chunk ? chunk.former.bodyTokens : chunk.bodyTokens;
  for (const chunk of all) {
    const message = Math.floor(chunk.position / perMessage);
    lengths.set(message, (lengths.get(message) ?? 0) + lengthOf(chunk));
  }
  const piece = <T extends { position: number }>(chunk: T) => {
    const position = Math.floor(chunk.position / perMessage);
    return {
      ...chunk,
      position,
      part: chunk.position % perMessage,
      messageTokens: lengths.get(position) ?? 0,
    };
  };
  return { ...read, added: read.added.map(piece), kept: read.kept.map(piece) };
};

interface Story {
  world: World;
  chance: Chance;
  ids: string[];
}

const happenings: ((story: Story) => Promise<unknown>)[] = [
  async ({ world, chance, ids }) => {
    const customId = chance.below(2) ? `c${chance.below(6)}` : null;
    const tags = chance.pick(TAGS) ?? ['a'];
    ids.push(await world.add(textOf(chance), { customId, tags, replace: chance.below(4) === 0 }));
  },
  async ({ world, chance, ids }) => {
    const id = chance.pick(ids);
    if (id) await world.store.documents.update(everything, id, contentPatch(textOf(chance)));
  },
  async ({ world, chance, ids }) => {
    const id = chance.pick(ids);
    if (id) await world.store.documents.update(everything, id, { tags: chance.pick(TAGS) ?? ['a'] });
  },
  async ({ world, chance, ids }) => {
    const id = chance.pick(ids);
    if (id && chance.below(3) === 0) await world.store.documents.remove(everything, { by: 'ref', ref: id });
  },
  async ({ world, chance }) => {
    const claims = await world.ingest.claim('boot', { documents: 1 + chance.below(6), containers: 3 });
    const perMessage = 1 + chance.below(3);
    const seam = chance.below(3) ? '' : `${chance.below(99)} `;
    const read = claims.map((claim) =>
      inMessages(readClaim(claim, { spaces: [world.space], seam }), perMessage),
    );
    const happened = chance.below(6);
    if (happened === 0) await world.ingest.release(claims);
    else if (happened === 1) await world.ingest.takeOver(`boot ${chance.below(1e9)}`);
    else await world.ingest.commit(read, [{ id: world.space, ...SPACE }]);
  },
  ({ world, chance }) => world.ingest.purge(1 + chance.below(8)),
  async ({ world, chance }) => {
    const rows = await world.ingest.outbox(world.space, chance.below(20));
    await world.ingest.acknowledge(
      world.space,
      rows.map(({ seq }) => seq),
    );
  },
];

const counted = (world: World) =>
  world.rows(`select n, documents, chunks, body_tokens, messages, message_tokens from containers order by n`);

const recounted = (world: World) =>
  world.rows(`select n,
      (select count(*) from documents where container = containers.n and deleted = 0) as documents,
      (select count(*) from chunks where n / ${CONTAINER_SPAN} = containers.n) as chunks,
      (select coalesce(sum(body_tokens), 0) from chunks where n / ${CONTAINER_SPAN} = containers.n) as body_tokens,
      (select count(*) from chunks where n / ${CONTAINER_SPAN} = containers.n and part = 0) as messages,
      (select coalesce(sum(message_tokens), 0) from chunks
        where n / ${CONTAINER_SPAN} = containers.n and part = 0) as message_tokens
    from containers order by n`);

const numbers = async (world: World, statement: string): Promise<number[]> =>
  (await world.rows(statement)).map((row) => Number(row.n));

const check = async (world: World): Promise<void> => {
  expect(await counted(world)).toEqual(await recounted(world));
  const vectors = await world.vectors(world.space);
  expect(vectors).toEqual(await numbers(world, 'select n from chunks order by n'));
  expect(await world.ingest.countVectors(world.space)).toBe(vectors.length);
  expect(await world.words()).toEqual(await numbers(world, 'select n from chunks order by n'));
};

export const countersContract = (open: OpenStore): void => {
  describe('counters', () => {
    test(`agree with a recount after ${STEPS} operations in any order (seed ${SEED})`, async () => {
      await using world = await openWorld(open);
      const chance = chanceOf(SEED);
      const story: Story = { world, chance, ids: [] };
      for (let step = 0; step < STEPS; step++) {
        world.clock.pass(chance.below(3));
        const happens = chance.pick(happenings);
        await happens?.(story);
        if (step % 5 === 0) await check(world);
      }
      await check(world);
      await world.index();
      await world.store.documents.remove(everything, { by: 'tags', tags: ['a', 'b', 'c'] });
      while (await world.ingest.purge(7)) await check(world);
      expect(await numbers(world, 'select n from documents union all select n from chunks')).toEqual([]);
      for (const row of await counted(world))
        expect(row).toEqual({
          ...row,
          documents: 0,
          chunks: 0,
          body_tokens: 0,
          messages: 0,
          message_tokens: 0,
        });
    });
  });
};
