// The real process starts and ends with nothing lost and no child left behind, one process to a folder.

import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { isAlive } from '../adapters/vectors/chroma/fixtures/chroma.ts';
import { newPlace, type Place, run, type Server, serve } from '../cli/memoir-process.ts';
import { verifies } from '../spec/verifies.ts';
import { refuse } from '../support/models/servers/behaving-server.ts';
import { until } from '../support/until.ts';
import { chromaOf, runningChroma } from './support/chroma.ts';
import { chunkNumbers } from './support/database.ts';
import { startExternalChroma } from './support/external-chroma.ts';
import { indexAgrees } from './support/memoir.ts';
import { byModel, type Paid, startPaid } from './support/paid.ts';
import { codeOf, documentsOf, noteOf } from './support/texts.ts';

const KEY = 'sm_tests_C291gmajd2U7FXgPNYwPERfW11gY';

let place: Place;
let servers: Server[];

beforeEach(() => {
  place = newPlace();
  servers = [];
});

afterEach(async () => {
  await Promise.all(servers.map((server) => server.stop('SIGKILL')));
  place.remove();
});

const dataDir = (): string => join(place.cwd, '.memoir');

const start = async (env: Record<string, string> = {}): Promise<Server> => {
  const server = await serve({ ...place, env: { MEMOIR_API_KEY: KEY, ...env } });
  servers.push(server);
  return server;
};

const ask = async (server: Pick<Server, 'url'>, method: string, path: string, body?: unknown, key = KEY) => {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

const add = (server: Server, documents: readonly unknown[]) =>
  ask(server, 'POST', '/v3/documents/batch', { documents });

const idle = (server: Server) =>
  until('an empty queue', async () => {
    const { body } = await ask(server, 'GET', '/v3/documents/processing');
    return body.totalCount === 0;
  });

const firstFor = async (server: Server, q: string, searchMode = 'keyword'): Promise<unknown> => {
  const { status, body } = await ask(server, 'POST', '/v4/search', { q, searchMode, threshold: 0 });
  if (status !== 200) throw new Error(`The search answered ${status}: ${JSON.stringify(body)}`);
  const [first] = body.results as { chunk?: string }[];
  return first?.chunk;
};

/** The exit code of a process that was told to stop, and the time that it took. */
const ending = async (server: Server): Promise<{ code: number | null; ms: number }> => {
  const began = performance.now();
  const code = await server.stop('SIGTERM');
  return { code, ms: performance.now() - began };
};

const inDatabase = <Row>(sql: string): Row[] => {
  const db = new DatabaseSync(join(dataDir(), 'memoir.db'), { readOnly: true });
  try {
    return db.prepare(sql).all() as Row[];
  } finally {
    db.close();
  }
};

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
};

const statusOf = async (url: string): Promise<number | null> => {
  try {
    return (await fetch(`${url}/health`)).status;
  } catch {
    return null;
  }
};

const startPaidHere = async (): Promise<Paid> => {
  const paid = await startPaid();
  onTestFinished(() => paid.close());
  return paid;
};

describe('a start', () => {
  verifies(
    'health:parts:state',
    'a start is over soon; health says 503 until it is, and then how each part is',
    async () => {
      const paid = await startPaidHere();
      const asked = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      paid.server.next(async (response) => {
        asked.resolve();
        await released.promise;
        response.destroy();
      });
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const starting = start({ ...paid.env('meaning-1'), PORT: String(port) });
      await asked.promise;
      const waiting = await ask({ url }, 'GET', '/health');
      expect(waiting.status).toBe(503);
      expect(waiting.body).toMatchObject({ status: 'unavailable' });
      const refused = await ask({ url }, 'GET', '/v3/session');
      expect(refused.status).toBe(503);
      expect(refused.body.error).toMatch(/is starting\. Try again/);
      released.resolve();
      const server = await starting;
      expect(server.url).toBe(url);
      const { status, body } = await ask(server, 'GET', '/health');
      expect([status, body.ready]).toEqual([200, true]);
      expect(Object.keys(body.parts as object).sort()).toEqual([
        'chroma',
        'connections',
        'embedder',
        'mail',
        'queue',
        'store',
      ]);
    },
    { timeoutMs: 40_000 },
  );

  test('a start keeps everything that was there: keys, documents, what they are found by', async () => {
    const first = await start();
    const { body } = await ask(first, 'POST', '/v3/auth/agent-key', {
      ...{ name: 'kept', permission: 'write', containerTags: ['a'] },
    });
    await add(first, documentsOf(0, 30));
    const tagged = { content: 'Only for a.', containerTag: 'a' };
    await ask(first, 'POST', '/v3/documents', tagged);
    await idle(first);
    expect(await first.stop()).toBe(0);

    const again = await start();
    for (const number of [0, 7, 29]) {
      expect(await firstFor(again, codeOf(number))).toBe(noteOf(number));
      expect(await firstFor(again, noteOf(number), 'semantic')).toBe(noteOf(number));
    }
    const seen = await ask(again, 'POST', '/v3/documents/list', {}, String(body.key));
    expect((seen.body.memories as unknown[]).length).toBe(1);
  });

  test('a start on a folder that another server holds, that a newer Memoir wrote, or that cannot be migrated, is refused with a sentence', async () => {
    const server = await start();
    const second = await run(['serve'], { ...place, env: { PORT: '0' } });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`in use by the Memoir server at ${server.url}`);
    expect(await statusOf(server.url)).toBe(200);
    await server.stop();

    const db = new DatabaseSync(join(dataDir(), 'memoir.db'));
    db.exec('pragma user_version = 999');
    db.close();
    const older = await run(['serve'], { ...place, env: { PORT: '0' } });
    expect([older.code, older.stdout]).toEqual([1, '']);
    expect(older.stderr).toMatch(/written by a newer Memoir \(schema 999.*Start the newer version/);
    expect(older.stderr).not.toMatch(/\n\s+at /);
    expect(chromaOf(dataDir())).toBe(null);

    const other = new DatabaseSync(join(dataDir(), 'memoir.db'));
    other.exec('drop table migrations; pragma user_version = 3');
    other.close();
    const disordered = await run(['serve'], { ...place, env: { PORT: '0' } });
    expect([disordered.code, disordered.stdout]).toEqual([1, '']);
    expect(disordered.stderr).toMatch(
      /Migration 4 .*"layout".* failed.*: duplicate column name: layout\. Start/,
    );
    expect(disordered.stderr).not.toMatch(/\n\s+at /);
  }, 120_000);

  test('a start with a Chroma of others uses that one and starts none', async () => {
    const chroma = await startExternalChroma();
    onTestFinished(() => chroma.close());
    const server = await start({ CHROMA_URL: chroma.door.url });
    expect(chromaOf(dataDir())).toBe(null);
    expect(existsSync(join(dataDir(), 'chroma'))).toBe(false);
    await add(server, documentsOf(0, 40));
    await idle(server);
    await indexAgrees(dataDir(), chroma.url);
    expect((await ending(server)).code).toBe(0);
  });

  test('a start with a first embedding service that refuses the key ends with a sentence and leaves nothing open', async () => {
    const paid = await startPaidHere();
    paid.server.always(refuse(401, 'No.'));
    const ended = await run(['serve'], { ...place, env: { PORT: '0', ...paid.env('meaning-1') } });
    expect([ended.code, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('OPENAI_API_KEY');
    expect(chromaOf(dataDir())).toBe(null);
    await start();
  });
});

describe('a stop', () => {
  test('a stop while it still starts is soon over, though an embedding service hangs', async () => {
    const paid = await startPaidHere();
    const asked = Promise.withResolvers<void>();
    paid.server.always(() => asked.resolve());
    const port = await freePort();
    const starting = serve({ ...place, env: { ...paid.env('meaning-1'), PORT: String(port) } }).catch(
      (error: Error) => error.message,
    );
    await asked.promise;
    const { pid } = JSON.parse(readFileSync(join(dataDir(), 'run.json'), 'utf8')) as { pid: number };
    process.kill(pid, 'SIGTERM');
    expect(await starting).toContain('Stopped before it was ready.');
    await until('Chroma to be gone', () => chromaOf(dataDir()) === null, 2_000);
    await start();
  });

  /** Requests for documents are never answered; the query of a search is answered after its release. */
  const heldUp = async (paid: Paid) => {
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const held = (text: string) => text.includes('Filed as');
    paid.server.always(async (response, request) => {
      if (request.body.input.some((text) => text.endsWith(' asked'))) await released.promise;
      else if (request.body.input.some(held)) {
        reached.resolve();
        return;
      }
      return byModel(response, request);
    });
    return { reached: reached.promise, release: released.resolve };
  };

  test('a stop finishes requests, hands back work, ends Chroma and itself with 0, and loses nothing', async () => {
    const paid = await startPaidHere();
    const server = await start(paid.env('meaning-1'));
    await add(server, ['What was there before.']);
    await idle(server);
    const held = await heldUp(paid);
    await add(server, documentsOf(0, 150));
    await held.reached;
    const child = runningChroma(dataDir()).pid;
    expect(isAlive(child)).toBe(true);
    const inFlight = firstFor(server, `${noteOf(1)} asked`, 'hybrid');
    await until('the search to be under way', () => paid.embedded().some((text) => text.endsWith(' asked')));
    const ended = ending(server);
    await until('it to drain', async () => (await statusOf(server.url)) !== 200, 5_000);
    expect(await statusOf(server.url)).toBe(503);
    const refused = await ask(server, 'GET', '/v3/session');
    expect([refused.status, refused.body.error]).toEqual([503, expect.stringContaining('is stopping')]);
    held.release();
    // By then the rest may be there as well: what counts is that it was answered.
    expect(await inFlight).toEqual(expect.any(String));
    const { code } = await ended;
    expect([code, server.stderr()]).toEqual([0, expect.stringContaining('Stopping')]);
    expect(isAlive(child)).toBe(false);
    expect(existsSync(join(dataDir(), 'run.json'))).toBe(false);
    const rows = inDatabase<{ step: string; lease: string | null; crashes: number }>(
      'select distinct step, lease, crashes from documents',
    );
    for (const row of rows) expect(row).toMatchObject({ lease: null, crashes: 0 });
    expect(rows.map(({ step }) => step)).toContain('queued');

    paid.server.always(byModel);
    const again = await start(paid.env('meaning-1'));
    await idle(again);
    expect(chunkNumbers(dataDir())).toHaveLength(151);
    for (const number of [0, 77, 149]) expect(await firstFor(again, codeOf(number))).toBe(noteOf(number));
  }, 60_000);

  test('a stop is over though an embedding service hangs and Chroma does not answer', async () => {
    const paid = await startPaidHere();
    const server = await start(paid.env('meaning-1'));
    const { reached } = await heldUp(paid);
    await add(server, documentsOf(0, 20));
    await reached;
    const child = runningChroma(dataDir()).pid;
    process.kill(child, 'SIGSTOP');
    const hanging = firstFor(server, noteOf(1), 'semantic').catch(() => 'cut off');
    const { code, ms } = await ending(server);
    process.stdout.write(`  stopped after ${Math.round(ms)} ms\n`);
    expect(code).toBe(0);
    expect(isAlive(child)).toBe(false);
    await hanging;
  }, 60_000);

  test('a stop in the middle of an import, and kill -9 in a reindex and a deletion, leave a folder that goes on', async () => {
    const paid = await startPaidHere();
    const first = await start();
    for (let at = 0; at < 400; at += 200) await add(first, documentsOf(at, 200));
    expect((await ending(first)).code).toBe(0);
    const second = await start(paid.env('meaning-1'));
    await ask(second, 'POST', '/v3/spaces/reindex', {});
    await add(second, documentsOf(400, 100));
    const { body } = await ask(second, 'POST', '/v3/documents/list', { limit: 100 });
    const ids = (body.memories as { id: string }[]).map(({ id }) => id);
    await ask(second, 'DELETE', '/v3/documents/bulk', { ids });
    const child = runningChroma(dataDir()).pid;
    await second.stop('SIGKILL');
    await until('Chroma to be gone', () => !isAlive(child), 2_000);

    const third = await start(paid.env('meaning-1'));
    await idle(third);
    await until('the reindex to be over', async () => {
      const spaces = await ask(third, 'GET', '/v3/spaces');
      return spaces.body.reindexing === null && spaces.body.reindexNeeded === false;
    });
    await until('what was deleted to be gone', () => chunkNumbers(dataDir()).length === 500 - ids.length);
    await indexAgrees(dataDir());
  }, 90_000);

  test('kill -9 in a redraw, and the next start goes on with it', async () => {
    const first = await start();
    const documents = Array.from({ length: 60 }, (_, at) => ({
      content: `user: I live in Ghent. My dog number ${at} is called Bruno${at}.`,
      containerTag: 'again',
    }));
    await add(first, documents);
    await idle(first);
    const list = { containerTags: ['again'], limit: 1000 };
    const memories = async (server: Server) =>
      (await ask(server, 'POST', '/v4/memories/list', list)).body.memoryEntries as { id: string }[];
    const waiting = async (server: Server) =>
      (await ask(server, 'GET', '/v4/memories/redraw?containerTag=again')).body.waiting;
    await until('all documents to be read', () => {
      const [row] = inDatabase<{ n: number }>(
        "select count(*) as n from documents where memory_state = 'done'",
      );
      return row?.n === documents.length;
    });
    const before = await memories(first);
    const asked = await ask(first, 'POST', '/v4/memories/redraw', { containerTag: 'again' });
    expect(asked).toMatchObject({ status: 202, body: { documents: documents.length } });
    await first.stop('SIGKILL');
    const second = await start();
    await until('the redraw to end', async () => (await waiting(second)) === 0);
    expect((await ask(second, 'GET', '/v4/memories/redraw')).body).toEqual({
      ...{ waiting: 0, done: documents.length, failed: 0, added: 0, removed: 0 },
    });
    expect(await memories(second)).toEqual(before);
  }, 90_000);

  verifies(
    'facts:crash:kept',
    'kill -9 right after the answers, and again while they become memories, loses no fact',
    async () => {
      const FACTS = 40;
      const first = await start();
      const documents = Array.from({ length: FACTS }, (_, at) => ({
        content: `user: My name is Ada. I live in Ghent, says note ${at}.`,
        customId: `note ${at % 30}`,
        containerTag: 'kept',
        facts: [{ content: `Ada keeps the ledger number ${at}` }],
      }));
      for (const document of documents)
        expect((await ask(first, 'POST', '/v3/documents', document)).status).toBe(200);
      await first.stop('SIGKILL');
      const second = await start();
      await second.stop('SIGKILL');
      const third = await start();
      await idle(third);
      const list = { containerTags: ['kept'], limit: 1000 };
      const { body } = await ask(third, 'POST', '/v4/memories/list', list);
      const memories = (body.memoryEntries as { memory: string }[]).map(({ memory }) => memory);
      // The last ten were sent under the names of the first ten, and replaced or joined their facts.
      for (const { facts } of documents.slice(10)) expect(memories).toContain(facts[0]?.content);
      expect(memories.filter((memory) => !memory.startsWith('Ada keeps the ledger'))).toEqual([]);
      expect(new Set(memories).size).toBe(memories.length);
      const waiting = 'select count(*) as n from submissions where facts is not null';
      expect(inDatabase<{ n: number }>(waiting)).toEqual([{ n: 0 }]);
    },
    { timeoutMs: 90_000 },
  );
});
