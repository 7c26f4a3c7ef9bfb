// Looks for the remains of a text in any table and in the keyword indexes, and for numbers that still have a vector.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { hasVector, SLOTS } from '../../../server/lib/vectors/code.ts';

type Row = Record<string, string | number | Uint8Array | null>;

const reading = <T>(dataDir: string, read: (query: (statement: string) => Row[]) => T): T => {
  const db = new DatabaseSync(join(dataDir, 'memoir.db'), { readOnly: true, timeout: 5000 });
  try {
    db.exec('begin');
    return read((statement) => db.prepare(statement).all() as Row[]);
  } finally {
    db.close();
  }
};

const INDEXES = ['chunk_words', 'memory_words'];

const shown = (value: Row[string] | undefined): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);

/** Whatever tables there are: those that come later are looked into as well. */
const TABLES = `select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'
  and name not like 'chunk_words%' and name not like 'memory_words%' and name not like 'sqlite%'`;

/** The places that still hold the word. */
export const placesOf = (dataDir: string, word: string): string[] =>
  reading(dataDir, (query) => [
    ...query(TABLES)
      .map(({ name }) => String(name))
      .filter((name) =>
        query(`select * from ${name}`).some((row) =>
          Object.values(row).some((value) => shown(value).includes(word)),
        ),
      ),
    ...INDEXES.filter(
      (name) => query(`select rowid from ${name} where ${name} match '"${word}"'`).length > 0,
    ),
  ]);

/** Rows that name something that is not there any more. */
const STRAYS = {
  chunk_words: 'select rowid from chunk_words where rowid not in (select n from chunks)',
  memory_words: 'select rowid from memory_words where rowid not in (select n from memories)',
  chunks: 'select n from chunks where doc not in (select n from documents)',
  memories: 'select n from memories where n not in (select memory from memory_sources)',
  memory_sources: 'select memory from memory_sources where doc not in (select n from documents)',
  submissions: 'select n from submissions where doc not in (select n from documents)',
  document_meta: `select doc from document_meta where doc not in (select n from documents union all select n from memories)`,
  documents_unspoken: 'select doc from documents_unspoken where doc not in (select n from documents)',
  exact_vectors: `select n from exact_vectors where n not in (select n from chunks union all select n from memories)`,
} as const;

export const straysIn = (dataDir: string): string[] =>
  reading(dataDir, (query) =>
    Object.entries(STRAYS)
      .filter(([, statement]) => query(statement).length > 0)
      .map(([name]) => name),
  );

/** Of everything that has a vector in the space that serves, in order. */
export const vectorNumbers = (dataDir: string): number[] =>
  reading(dataDir, (query) => {
    const [space] = query("select id, dimensions from spaces where state = 'active'");
    const blocks = query(`select block, data from vector_blocks where space = ${space?.id} order by block`);
    return blocks.flatMap(({ block, data }) =>
      Array.from({ length: SLOTS }, (_, slot) => Number(block) * SLOTS + slot).filter((n) =>
        hasVector(data as Uint8Array, Number(space?.dimensions), n),
      ),
    );
  });
