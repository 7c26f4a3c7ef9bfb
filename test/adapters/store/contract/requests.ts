// The role of requests: no statement of the request side shows a row of another scope, whatever its author forgot.
import { describe, expect, test } from 'vitest';
import { type OpenStore, openWorld, type Row, type World } from './world.ts';

const SCOPED = ['documents', 'chunks', 'submissions', 'document_meta', 'memories', 'files', 'thread_places'];

const SECRET = 'secretofb';

/** Nothing: the database refused to run it. */
const seen = (world: World, reads: readonly string[], statement: string): Promise<Row[]> =>
  world.asRequest(reads, statement).catch((error: unknown) => {
    expect(String(error)).toMatch(/prohibited|permission denied|not authorized/);
    return [];
  });

export const requestsContract = (open: OpenStore): void => {
  describe('the role of requests', () => {
    test.each(SCOPED)('shows no row of another tag, whatever a statement reads of %s', async (table) => {
      await using world = await openWorld(open);
      for (const [tag, word] of [
        ['a', 'wordofa'],
        ['b', SECRET],
      ] as const) {
        const more = { tags: [tag], customId: `${word} 1`, metadata: { key: word } };
        await world.add(`The ${word} rests.`, more);
      }
      await world.index();
      for (const statement of [
        `select * from ${table}`,
        `select each.* from (select * from ${table}) as each`,
        `with every_row as (select * from ${table}) select * from every_row`,
        `select tags.n, each.* from tags, ${table} as each`,
      ]) {
        expect(JSON.stringify(await seen(world, ['a'], statement)), statement).not.toContain(SECRET);
        expect(await seen(world, ['nobody'], statement), statement).toEqual([]);
        expect(await seen(world, [], statement), statement).toEqual([]);
      }
    });
  });
};
