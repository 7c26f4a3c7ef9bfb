// Chroma of a whole service killed, emptied and kept from answering: nothing is lost, nothing fails, all is found.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { timePasses, until } from '../support/until.ts';
import { chromaOf, collectionsOf, drop, runningChroma } from './support/chroma.ts';
import { pendingIn } from './support/database.ts';
import { startExternalChroma } from './support/external-chroma.ts';
import { addAll, health, indexAgrees, search, settledWhole, textsOf } from './support/memoir.ts';
import { startPaid } from './support/paid.ts';
import { repeat } from './support/repeat.ts';
import { CONVERSATION, codeOf, documentOf, documentsOf, noteOf, sampleOf } from './support/texts.ts';

/** Wide scopes begin here, so that a small store asks the index. */
const WIDE = { narrow: 40 };
const TAG = 'everybody';
/** Beside the notes, so that memories are drawn as well. */
const CONVERSATIONS = 10;

const startHere = async (...given: Parameters<typeof startMemoir>): Promise<OwnMemoir> => {
  const memoir = await startMemoir(...given);
  onTestFinished(() => memoir.close());
  return memoir;
};

const tagged = (from: number, count: number) => documentsOf(from, count, { containerTag: TAG });

const isLocalChromaWell = async (memoir: OwnMemoir): Promise<boolean> =>
  (await health(memoir)).body.parts.chroma.status === 'ok';

/** The stored chunks, the vectors in the index and the results of a caller are the same. */
const expectAllThere = async (memoir: OwnMemoir, count: number): Promise<void> => {
  await indexAgrees(memoir.dir);
  const { body } = await memoir.ask<{ pagination: { totalItems: number } }>('POST', '/v3/documents/list', {
    status: 'done',
    limit: 1,
  });
  expect(body.pagination.totalItems).toBe(count + CONVERSATIONS);
  for (const number of sampleOf(count, 25, 1)) {
    const byMeaning = await search(memoir, noteOf(number), { containerTag: TAG });
    expect(textsOf(byMeaning)[0]).toBe(noteOf(number));
    const byWord = await search(memoir, codeOf(number), { searchMode: 'keyword' });
    expect(textsOf(byWord)).toEqual([noteOf(number)]);
  }
};

/** Between searches: more of them would take the processor from what is tested. */
const PAUSE_MS = 20;

describe('Chroma killed again and again', () => {
  test('Chroma is killed again and again during an import and searches: no search fails, nothing is lost, the counts agree', async () => {
    const count = 2000;
    const kills = 4;
    const memoir = await startHere({}, { searchLimits: WIDE });
    await addAll(memoir, tagged(0, 100));
    await settledWhole(memoir);

    const searches = repeat(
      async (turn) => {
        const scope = turn % 2 === 0 ? { containerTag: TAG } : {};
        const mode = { searchMode: ['semantic', 'hybrid', 'documents'][turn % 3] };
        const { status, results } = await search(memoir, noteOf(turn % 100), { ...scope, ...mode });
        return { status, first: results[0]?.chunk, expected: noteOf(turn % 100) };
      },
      3,
      PAUSE_MS,
    );
    const killed = new Set<number>();
    const killing = (async () => {
      while (killed.size < kills) {
        await until('Chroma to run', () => !killed.has(chromaOf(memoir.dir)?.pid ?? [...killed][0] ?? 0));
        await timePasses(150 + 100 * killed.size, 'each is killed later in its life');
        const pid = chromaOf(memoir.dir)?.pid;
        if (pid === undefined || killed.has(pid)) continue;
        process.kill(pid, 'SIGKILL');
        killed.add(pid);
      }
    })();
    await addAll(
      memoir,
      Array.from({ length: CONVERSATIONS }, (_, at) => ({ content: `${CONVERSATION}\nuser: ${at}` })),
    );
    for (let at = 100; at < count; at += 100) {
      await addAll(memoir, tagged(at, 100));
      await timePasses(50, 'documents come while Chroma is killed and started');
    }
    await killing;
    await memoir.idle();
    const answers = await searches.end();
    expect(answers.length).toBeGreaterThan(50);
    for (const { status, first, expected } of answers) {
      expect(status).toBe(200);
      expect(first).toBe(expected);
    }
    const recovered = await settledWhole(memoir);
    process.stdout.write(
      `  ${killed.size} kills, ${answers.length} searches, whole ${Math.round(recovered)} ms after the import\n`,
    );
    await expectAllThere(memoir, count);
  }, 90_000);
});

describe('the folder of Chroma', () => {
  test('the folder of Chroma, removed while the server is stopped, is filled again without one embedding', async () => {
    const count = 1000;
    const paid = await startPaid();
    onTestFinished(() => paid.close());
    const memoir = await startHere(paid.env('meaning-1'), { searchLimits: WIDE });
    await addAll(memoir, tagged(0, count));
    await settledWhole(memoir);
    const mark = paid.mark();

    await memoir.restart({}, () => rmSync(join(memoir.dir, 'chroma'), { recursive: true }));
    const began = performance.now();
    const seen = new Set<string>();
    const searches = repeat(
      async (turn) => {
        const { body } = await health(memoir);
        const { status, detail = '' } = body.parts.chroma;
        seen.add(`${body.status} ${status} ${detail.replaceAll(/\d+/g, '#')}`);
        const number = (turn * 37) % count;
        const asked = `${noteOf(number)} asked`;
        const found = await search(memoir, asked, turn % 2 === 0 ? { containerTag: TAG } : {});
        return { status: found.status, first: textsOf(found)[0], expected: noteOf(number) };
      },
      1,
      PAUSE_MS,
    );
    await settledWhole(memoir);
    process.stdout.write(`  ${count} vectors filled again in ${Math.round(performance.now() - began)} ms\n`);
    for (const { status, first, expected } of await searches.end())
      expect({ status, first }).toEqual({ status: 200, first: expected });
    expect([...seen]).toContain('degraded degraded filling the vector index again: it held # of # vectors');
    expect((await health(memoir)).body.status).toBe('ok');

    // Only questions were embedded: the vectors were kept.
    for (const text of paid.embedded(mark)) expect(text).toMatch(/ asked$/);
    await indexAgrees(memoir.dir);
  }, 60_000);

  test('what was there before is found at once, though the folder of Chroma is removed and work never ends', async () => {
    const count = 300;
    const memoir = await startHere({}, { searchLimits: WIDE });
    await addAll(memoir, tagged(0, count));
    await settledWhole(memoir);
    await memoir.restart({}, () => rmSync(join(memoir.dir, 'chroma'), { recursive: true }));
    const adding = repeat((turn) => addAll(memoir, tagged(count + turn * 40, 40)), 1, 20);
    await until('new content in the index', async () => {
      const url = chromaOf(memoir.dir)?.url;
      const [collection] = url ? await collectionsOf(url).catch(() => []) : [];
      return collection !== undefined && (collection.dimension ?? 0) > 0;
    });
    for (let turn = 0; turn < 20; turn++) {
      const number = (turn * 17) % count;
      expect(textsOf(await search(memoir, noteOf(number)))[0]).toBe(noteOf(number));
    }
    await adding.end();
    await settledWhole(memoir);
    await indexAgrees(memoir.dir);
  }, 60_000);
});

describe('an index that is filled again', () => {
  test('an index that is filled again hides nothing, also while it lacks more than is compared beside it', async () => {
    const count = 800;
    const chroma = await startExternalChroma();
    onTestFinished(() => chroma.close());
    const memoir = await startHere(
      { CHROMA_URL: chroma.door.url },
      { searchLimits: { ...WIDE, pending: 100 } },
    );
    await addAll(memoir, tagged(0, count));
    await settledWhole(memoir);
    const [{ name = '' } = {}] = await collectionsOf(chroma.url());

    let taken = 0;
    const released = Promise.withResolvers<void>();
    await memoir.restart({}, () => {
      chroma.door.turn(async ({ path, method }, pass) => {
        // As if somebody had emptied it while nobody looked.
        if (method === 'GET' && path.endsWith(`/${name}`) && taken === 0) await drop(chroma.url(), name);
        if (path.endsWith('/upsert') && taken++ > 0) await released.promise;
        return pass();
      });
    });
    await until('some of it to be there again', () => taken > 1);
    const { body } = await health(memoir);
    expect(body).toMatchObject({ status: 'degraded', ready: true });
    expect(body.parts.chroma.detail).toMatch(/held 0 of 800 vectors/);
    for (const number of [0, 299, 300, 301, 600, count - 1])
      for (const scope of [{}, { containerTag: TAG }])
        expect(textsOf(await search(memoir, noteOf(number), scope))[0]).toBe(noteOf(number));
    released.resolve();
    await settledWhole(memoir);
    await indexAgrees(memoir.dir, chroma.url);
  }, 60_000);
});

/** Kept from its folder, the next Chroma does not start. */
const keepStopped = async (memoir: OwnMemoir): Promise<Disposable> => {
  const lock = new DatabaseSync(join(memoir.dir, 'chroma.lock.db'), { timeout: 5000 });
  const child = chromaOf(memoir.dir);
  if (child) process.kill(child.pid, 'SIGKILL');
  lock.exec('begin exclusive');
  await until('Chroma to be down', async () => !(await isLocalChromaWell(memoir)));
  return { [Symbol.dispose]: () => void (lock.isOpen && lock.close()) };
};

const closedDoor = async (): Promise<{ url: string; open: () => void }> => {
  const chroma = await startExternalChroma();
  onTestFinished(() => chroma.close());
  chroma.door.shut();
  return { url: chroma.door.url, open: chroma.door.open };
};

/** Alone in a narrow scope, and among many in a wide one. */
const expectFoundWhenDone = async (memoir: OwnMemoir, from: number): Promise<void> => {
  for (let number = from; number < from + 4; number++) {
    const tag = `alone-${number}`;
    const document = documentOf(number);
    const { content } = document;
    for (const containerTag of [tag, TAG])
      expect((await memoir.add({ ...document, containerTag, customId: `n${number}` })).status).toBe('done');
    for (const searchMode of ['semantic', 'hybrid', 'documents', 'keyword'])
      for (const scope of [{ containerTag: tag }, { containerTag: TAG }, {}]) {
        const q = searchMode === 'keyword' ? codeOf(number) : content;
        const found = await search(memoir, q, { searchMode, ...scope });
        expect([found.status, textsOf(found)[0]]).toEqual([200, content]);
      }
  }
};

describe('while Chroma is stopped', () => {
  verifies(
    ['search:fresh:when-done', 'processing:done:retrievable'],
    'a document is found the moment it is done, in narrow and in wide scopes: a server that does not answer',
    async () => {
      const door = await closedDoor();
      const memoir = await startHere({ CHROMA_URL: door.url }, { searchLimits: WIDE });
      await addAll(memoir, tagged(0, 120));
      await memoir.idle();
      const { status, body } = await health(memoir);
      expect([status, body.status, body.ready]).toEqual([200, 'degraded', true]);
      expect(body.parts.chroma.detail).toContain(`Chroma does not answer at ${door.url}`);
      await expectFoundWhenDone(memoir, 1000);
      expect(pendingIn(memoir.dir)).toBeGreaterThanOrEqual(120);

      // It is there at last: what waited reaches it, and health says so without a search having asked.
      door.open();
      await settledWhole(memoir);
    },
    { timeoutMs: 60_000 },
  );

  verifies(
    'search:fresh:when-done',
    'a document is found as soon although our own child was killed and does not come back',
    async () => {
      const memoir = await startHere({}, { searchLimits: WIDE });
      await addAll(memoir, tagged(0, 120));
      await settledWhole(memoir);
      using stopped = await keepStopped(memoir);
      await expectFoundWhenDone(memoir, 1000);
      expect((await health(memoir)).body.parts.chroma.status).toBe('degraded');
      expect(pendingIn(memoir.dir)).toBeGreaterThan(0);
      stopped[Symbol.dispose]();
      await settledWhole(memoir);
      await indexAgrees(memoir.dir);
    },
    { timeoutMs: 60_000 },
  );

  test('a Chroma that hangs holds up one search and not the others, and is asked again when it wakes', async () => {
    const memoir = await startHere({}, { searchLimits: WIDE });
    await addAll(memoir, tagged(0, 120));
    await settledWhole(memoir);
    const child = runningChroma(memoir.dir).pid;
    process.kill(child, 'SIGSTOP');
    onTestFinished(() => {
      if (chromaOf(memoir.dir)?.pid === child) process.kill(child, 'SIGCONT');
    });
    const took: number[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const began = performance.now();
      expect(textsOf(await search(memoir, noteOf(turn)))[0]).toBe(noteOf(turn));
      took.push(performance.now() - began);
    }
    // The one that waits for the index takes its limit, two seconds, longer than each that does not wait.
    const [waited = 0, ...others] = took;
    for (const ms of others) expect(ms).toBeLessThan(waited);
    process.kill(child, 'SIGCONT');
    await addAll(memoir, tagged(500, 20));
    await settledWhole(memoir);
    await indexAgrees(memoir.dir);
  });

  test('a server of others that left one query unanswered is well again soon, although nobody searches', async () => {
    const chroma = await startExternalChroma();
    onTestFinished(() => chroma.close());
    const memoir = await startHere({ CHROMA_URL: chroma.door.url }, { searchLimits: WIDE });
    await addAll(memoir, tagged(0, 120));
    await settledWhole(memoir);
    const hangs = Promise.withResolvers<void>();
    chroma.door.turn(async ({ path }, pass) => {
      if (path.endsWith('/query')) await hangs.promise;
      return pass();
    });
    expect(textsOf(await search(memoir, noteOf(7)))[0]).toBe(noteOf(7));
    expect((await health(memoir)).body.parts.chroma.detail).toContain('did not answer the last query');
    hangs.resolve();
    chroma.door.turn();
    await settledWhole(memoir);
  });
});
