// Chroma holds exactly the vectors that SQL holds once everything is handed over.
import { collectionName } from '../../server/adapters/vectors/chroma/shards.ts';
import { hasVector, SLOTS } from '../../server/lib/vectors/code.ts';
import { until } from './api.ts';
import type { Folder, Server } from './server.ts';
import { count, reading } from './sql.ts';

const HANDED_OVER_MS = 60_000;
const PAGE = 5000;

interface InSql {
  outbox: number;
  organisation: string;
  space: number;
  /** The count of the store. */
  counted: number;
  /** The count of the vector blocks. */
  vectors: number[];
  /** The rows that need a vector: chunks and memories. */
  units: number[];
}

const readSql = (folder: Folder): InSql =>
  reading(folder, (query) => {
    const [space] = query("select id, dimensions, vectors from spaces where state = 'active'");
    const blocks = query(`select block, data from vector_blocks where space = ${space?.id} order by block`);
    const vectors = blocks.flatMap(({ block, data }) =>
      Array.from({ length: SLOTS }, (_, slot) => Number(block) * SLOTS + slot).filter((n) =>
        hasVector(data as Uint8Array, Number(space?.dimensions), n),
      ),
    );
    return {
      vectors,
      outbox: count(query, 'select count(*) as n from vector_outbox'),
      organisation: JSON.parse(String(query("select value from meta where key = 'organisation'")[0]?.value))
        .id,
      space: Number(space?.id),
      counted: Number(space?.vectors),
      units: query('select n from chunks union all select n from memories order by n').map(({ n }) =>
        Number(n),
      ),
    };
  });

const DATABASE = '/api/v2/tenants/default_tenant/databases/default_database';

const post = async (url: string, body: unknown): Promise<{ ids: string[] }> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`Chroma answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { ids: string[] };
};

/** The server starts its Chroma again after a collection was dropped, under another address. */
const isRestarting = (error: unknown): boolean =>
  error instanceof TypeError &&
  error.cause instanceof Error &&
  /ECONNREFUSED|ECONNRESET|other side closed/.test(`${error.cause.message}`);

/** The chunk numbers in Chroma; null if it has no such collection. */
const readChroma = async (chroma: string, sql: InSql): Promise<number[] | null> => {
  const collections = `${chroma}${DATABASE}/collections`;
  const found = await fetch(`${collections}/${collectionName(sql.organisation, sql.space)}`);
  if (found.status === 404) return null;
  const { id } = (await found.json()) as { id: string };
  const ids: number[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await post(`${collections}/${id}/get`, { include: [], limit: PAGE, offset });
    ids.push(...page.ids.map(Number));
    if (page.ids.length < PAGE) return ids.sort((a, b) => a - b);
  }
};

const same = (a: readonly number[], b: readonly number[]): boolean => JSON.stringify(a) === JSON.stringify(b);

export interface Agreement {
  vectors: number;
  /** The index had lost vectors, and was filled again. */
  rebuilt: boolean;
}

export const checkIndex = async (server: Server, folder: Folder): Promise<Agreement> => {
  let state = '';
  let vectors = 0;
  await until('Chroma and SQL agree', HANDED_OVER_MS, async () => {
    const sql = readSql(folder);
    const chroma = server.chroma();
    if (sql.outbox > 0 || chroma === null) {
      state = `${sql.outbox} in the outbox, Chroma at ${chroma}`;
      return false;
    }
    const found = await readChroma(chroma, sql).catch((error: unknown) => {
      if (isRestarting(error)) return 'restarts' as const;
      throw error;
    });
    if (found === 'restarts') {
      state = `Chroma at ${chroma} restarts`;
      return false;
    }
    const held = found ?? [];
    const strange = new Set(held).difference(new Set(sql.vectors));
    const counts = `${new Set(held).size} different, of which SQL does not hold ${[...strange].slice(0, 5)}; SQL counts ${sql.counted}, holds ${sql.vectors.length} for ${sql.units.length} chunks and memories`;
    state = `Chroma holds ${held.length}; ${counts}`;
    vectors = held.length;
    return sql.counted === sql.vectors.length && same(sql.vectors, sql.units) && same(held, sql.vectors);
  }).catch((cause: unknown) => {
    throw new Error(`Chroma and SQL do not agree: ${state}`, { cause });
  });
  return { vectors, rebuilt: server.log().includes('filled again from SQL') };
};
