// The role of requests: no statement of the request side shows a row of another scope, whatever its author forgot or meant to do.
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../server/lib/hash.ts';
import { newId } from '../../../../server/lib/ids.ts';
import { tell } from './telling.ts';
import { everything, type OpenStore, openWorld, type Row, type World } from './world.ts';

const SECRET = 'secretofb';
/** The content of each tag. */
const WORDS = [
  ['a', 'wordofa'],
  ['b', SECRET],
] as const;

/** Tables whose rows belong to a scope; both databases call them so. */
const SCOPED = ['documents', 'chunks', 'submissions', 'document_meta', 'memories', 'files', 'thread_places'];

/** Scopes that hold nothing of the tag b. */
const FOREIGN: readonly (readonly string[])[] = [['a', 'nobody'], []];

/** As a database refuses it, or the connection before it; what was refused to be made is not there. */
const REFUSAL =
  /prohibited|permission denied|not authorized|authorization denied|read-only|is not a read|no such (?:table|module)/i;

/** Bytes show the words in them. */
const textOf = (rows: readonly Row[]): string =>
  JSON.stringify(rows, (_name, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );

const fill = async (world: World): Promise<void> => {
  for (const [tag, word] of WORDS) {
    const file = { key: newId(), name: `${word}.txt`, mimeType: 'text/plain', bytes: 12, fileType: null };
    await world.add(`The ${word} rests.`, {
      ...{ tags: [tag], customId: `${word} 1`, title: `About ${word}`, filepath: `/${word}/` },
      metadata: { key: word, threadId: word },
    });
    await world.add('', {
      ...{ tags: [tag], file: { ...file, sha256: sha256(word) }, hash: sha256(word), type: 'file' },
      ...{ replace: true, heavy: true },
    });
    await tell(world, `Ada knows the ${word}.`, { tags: [tag] });
  }
  await world.index();
  // They wait with the submissions that hold their texts.
  for (const [tag, word] of WORDS)
    await world.add(`More of ${word}.`, { tags: [tag], customId: `${word} 1` });
};

/** Ways to read a table. */
const SHAPES: readonly ((table: string) => string)[] = [
  (table) => `select each.* from (select * from ${table}) as each`,
  (table) => `with mine as (select * from ${table}) select * from mine`,
  (table) => `with tags as (select * from ${table}) select * from tags`,
  (table) => `select each.* from tags, ${table} as each`,
  (table) => `select each.* from tags left join ${table} as each on 1 = 1`,
  (table) => `select n from tags where exists (select 1 from ${table})`,
  (table) => `select n from tags where n in (select count(*) from ${table})`,
  (table) => `select (select count(*) from ${table}) as n`,
  (table) => `select tags.n from tags order by (select count(*) from ${table})`,
];

const READS_OF_SEVERAL = [
  'select * from documents, memories',
  'select documents.* from documents left join chunks on chunks.doc = documents.n',
  'select content from documents union all select text from document_meta',
  'select text from document_meta where doc in (select n from documents)',
  `select content from documents where content like '%${SECRET}%'`,
];

const WRITES = [
  "update documents set title = 'mine'",
  'update tags set name = null',
  'delete from documents',
  "insert into meta (key, value) values ('a', 'b')",
  'drop table documents',
  'create table mine (n int)',
  'create temp table mine as select * from documents',
  'create temp view visible_mine as select * from documents',
  'begin',
  'commit',
];

/** Nothing: the database refused to run it. */
const seen = (world: World, reads: readonly string[], statement: string): Promise<Row[]> =>
  world.asRequest(reads, statement).catch((error: unknown) => {
    expect(String(error), statement).toMatch(REFUSAL);
    return [];
  });

const plain = (name: string): string => name.replaceAll('"', '');

/** A count of what is there would be another number. */
const isEmpty = (rows: readonly Row[]): boolean =>
  rows.every((row) => Object.values(row).every((value) => value === 0));

/** The tables that hold the secret, by a look behind the port. */
const holding = async (world: World, tables: readonly string[]): Promise<string[]> => {
  const found: string[] = [];
  for (const table of tables)
    if (textOf(await world.rows(`select * from ${table}`)).includes(SECRET)) found.push(table);
  return found;
};

const showsNothing = (open: OpenStore): void =>
  test('shows no row of another scope by any statement, and none at all without a scope', async () => {
    await using world = await openWorld(open);
    await fill(world);
    const { tables, tricks } = await world.requestSide();
    const hold = await holding(world, tables);
    for (const table of SCOPED) expect(hold.map(plain), table).toContainEqual(expect.stringMatching(table));
    const reads = [
      ...tables.map((table) => `select * from ${table}`),
      ...[...hold, ...SCOPED].flatMap((table) => SHAPES.map((read) => read(table))),
      ...READS_OF_SEVERAL,
    ];
    expect(reads.length).toBeGreaterThan(150);
    for (const scope of FOREIGN) {
      const shows = async (statement: string): Promise<void> =>
        expect(textOf(await seen(world, scope, statement)), statement).not.toContain(SECRET);
      await Promise.all(reads.map(shows));
      for (const trick of tricks) await shows(trick);
    }
    for (const table of hold)
      expect(isEmpty(await seen(world, [], `select count(*) as n from ${table}`)), table).toBe(true);
    for (const table of SCOPED) expect(await seen(world, [], `select * from ${table}`), table).toEqual([]);
  });

const changesNothing = (open: OpenStore): void =>
  test('writes nothing, and leaves nothing behind for the next statement', async () => {
    await using world = await openWorld(open);
    await fill(world);
    const before = await world.list();
    const { tricks } = await world.requestSide();
    for (const statement of WRITES) {
      await expect(world.asRequest(['a'], statement), statement).rejects.toThrow(REFUSAL);
      await expect(world.asRequest(['a', 'b'], statement), statement).rejects.toThrow(REFUSAL);
    }
    for (const trick of tricks) {
      await seen(world, ['a', 'b'], trick);
      expect(textOf(await seen(world, ['a'], 'select * from documents')), trick).not.toContain(SECRET);
    }
    expect(await world.list({}, everything)).toEqual(before);
  });

export const requestsContract = (open: OpenStore): void => {
  describe('the role of requests', () => {
    showsNothing(open);
    changesNothing(open);
  });
};
