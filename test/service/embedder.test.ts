// An embedding service that does not answer, or not to this key: what a whole service still does, and says.

import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Behaviour, vectors } from '../adapters/embed/embeddings-server.ts';
import { verifies } from '../spec/verifies.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { hang, hangUp, refuse } from '../support/models/servers/behaving-server.ts';
import { until } from '../support/until.ts';
import { spacesIn } from './support/database.ts';
import { type Heard, listen } from './support/log.ts';
import { addAll, health, search, spaces, textsOf } from './support/memoir.ts';
import { byModel, type Paid, startPaid } from './support/paid.ts';
import { documentOf, documentsOf, noteOf } from './support/texts.ts';

const MODEL = 'meaning-1';

let paid: Paid;
beforeAll(async () => {
  paid = await startPaid();
});
afterEach(() => paid.server.always(byModel));
afterAll(() => paid.close());

const setUp = async (): Promise<{ memoir: OwnMemoir; heard: Heard }> => {
  const heard = listen();
  const memoir = await startMemoir(paid.env(MODEL), { log: heard.log });
  onTestFinished(() => memoir.close());
  await addAll(memoir, documentsOf(0, 20));
  await memoir.idle();
  return { memoir, heard };
};

const readDocument = async (memoir: OwnMemoir, id: string) =>
  (await memoir.ask('GET', `/v3/documents/${id}`)).body as {
    status: string;
    failure: { code: string; message: string; retryable: boolean } | null;
  };

const unauthorised = refuse(401, 'Incorrect API key provided.');

describe('an embedding service that does not answer', () => {
  test('searches by meaning say with 503 that the service does not answer, others go by words and say so in the log and in health', async () => {
    const { memoir, heard } = await setUp();
    heard.said();
    paid.server.always(hangUp);
    const semantic = await search(memoir, noteOf(3));
    expect(semantic.status).toBe(503);
    expect(semantic.error).toMatch(/by meaning is not possible now .*Use searchMode hybrid or keyword/);
    expect(heard.said()).toContain('searching by words alone');
    for (const searchMode of ['hybrid', 'documents', 'keyword']) {
      const found = await search(memoir, noteOf(3), { searchMode });
      expect([found.status, textsOf(found)[0]]).toEqual([200, noteOf(3)]);
    }
    expect(heard.said()).toContain('searching by words alone');
    const { body } = await health(memoir);
    expect(body.parts.embedder).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining(
        'does not answer, so searches use keywords only: The embedding service at 127',
      ),
    });
    expect(await spaces(memoir)).toMatchObject({ active: { answering: false }, reindexNeeded: false });

    paid.server.always(byModel);
    await until('searches by meaning', async () => textsOf(await search(memoir, noteOf(3)))[0] === noteOf(3));
    expect((await health(memoir)).body.status).toBe('ok');
    expect(await spaces(memoir)).toMatchObject({ active: { answering: true }, trouble: null });
  });

  test('what is added is taken, waits, survives a restart, and is done when it answers again', async () => {
    const { memoir } = await setUp();
    paid.server.always(hangUp);
    const mark = paid.mark();
    const ids = await addAll(memoir, documentsOf(100, 30));
    await until('the service to be asked again', () => paid.mark() > mark + 1);
    for (const id of ids) expect(['queued', 'processing']).toContain((await readDocument(memoir, id)).status);
    await memoir.restart();
    for (const id of ids) expect(['queued', 'processing']).toContain((await readDocument(memoir, id)).status);
    paid.server.always(byModel);
    await memoir.idle();
    for (const [at, id] of ids.entries()) {
      expect(await readDocument(memoir, id)).toMatchObject({ status: 'done', failure: null });
      expect(textsOf(await search(memoir, noteOf(100 + at)))[0]).toBe(noteOf(100 + at));
    }
  });

  const waiting = (memoir: OwnMemoir, ids: readonly string[], code: string): Promise<number> =>
    until(`${ids.length} documents to wait with the reason ${code}`, async () => {
      const all = await Promise.all(ids.map((id) => readDocument(memoir, id)));
      return all.every(({ status, failure }) => status !== 'failed' && failure?.code === code);
    });

  const done = async (memoir: OwnMemoir, ids: readonly string[]): Promise<void> => {
    await memoir.idle();
    for (const id of ids)
      expect(await readDocument(memoir, id)).toMatchObject({ status: 'done', failure: null });
  };

  verifies(
    'processing:provider:waits',
    'whatever its fault is, documents wait for it and none fails, and they are done when it is well again',
    async () => {
      const { memoir } = await setUp();
      const full = Array<number>(256).fill(0.5);
      const faults: [string, Behaviour][] = [
        ['embedding_auth', unauthorised],
        ['embedding_refused', refuse(400, 'unknown parameter')],
        ['embedding_invalid', (response) => void response.writeHead(200).end('{"data":[{"emb')],
        ['embedding_invalid', (response) => void response.writeHead(200).end('<html>Sign in</html>')],
        ['embedding_invalid', vectors([])],
        [
          'embedding_invalid',
          (response, request) => vectors(request.body.input.map(() => full.map(() => 0)))(response, request),
        ],
        ['embedding_unavailable', hangUp],
      ];
      for (const [at, [code, fault]] of faults.entries()) {
        paid.server.always(fault);
        const ids = await addAll(memoir, documentsOf(200 + at * 10, 6));
        await waiting(memoir, ids, code);
        const { body } = await health(memoir);
        expect([body.status, body.parts.queue]).toEqual([
          'degraded',
          {
            status: 'degraded',
            detail: expect.stringMatching(/6 documents wait for the embedder, .*: The embedding service at/),
          },
        ]);
        paid.server.always(byModel);
        await done(memoir, ids);
        expect((await health(memoir)).body.parts.queue.status).toBe('ok');
      }
      expect(textsOf(await search(memoir, noteOf(200)))[0]).toBe(noteOf(200));
    },
    { timeoutMs: 120_000 },
  );

  verifies(
    'processing:provider:refused-text',
    'a text that it refuses alone fails and says so, the others are done; another model embeds it when it is asked to',
    async () => {
      const { memoir } = await setUp();
      paid.server.always((response, request) =>
        (request.body.input.some((text) => text.includes('not this one')) ? refuse(400, 'policy') : byModel)(
          response,
          request,
        ),
      );
      const [refused = '', ...ids] = await addAll(memoir, [
        { content: 'Everything but not this one.' },
        ...documentsOf(300, 10),
      ]);
      await done(memoir, ids);
      expect(await readDocument(memoir, refused)).toMatchObject({
        status: 'failed',
        failure: { code: 'text_refused', retryable: false, message: expect.stringContaining('"policy"') },
      });
      expect((await health(memoir)).body.parts.queue.status).toBe('ok');
      paid.server.always(byModel);
      expect((await memoir.ask('POST', `/v3/documents/${refused}/retry`)).body).toEqual({
        id: refused,
        status: 'queued',
      });
      await done(memoir, [refused]);
    },
  );

  verifies(
    'processing:provider:asked-again',
    'after it asked for an hour, a re-send, an update, a retry and a restart each bring the documents on at once',
    async () => {
      const { memoir } = await setUp();
      const later = refuse(429, 'Slow down', { 'retry-after': '3600' });
      const ways: ((id: string, content: object) => Promise<unknown>)[] = [
        (_id, content) => addAll(memoir, [content as Record<string, unknown>]),
        (id) => memoir.ask('PATCH', `/v3/documents/${id}`, { metadata: { seen: true } }),
        (id) => memoir.ask('POST', `/v3/documents/${id}/retry`),
        () => memoir.ask('POST', '/v3/documents/retry', {}),
        () => memoir.restart(),
      ];
      for (const [at, way] of ways.entries()) {
        paid.server.always(later);
        const sent = { ...documentOf(400 + at), customId: `later-${at}` };
        const [id = ''] = await addAll(memoir, [sent]);
        await waiting(memoir, [id], 'embedding_unavailable');
        paid.server.always(byModel);
        await way(id, sent);
        await done(memoir, [id]);
      }
    },
    { timeoutMs: 120_000 },
  );
});

describe('an embedding service that hangs', () => {
  verifies(
    'search:embedder:hangs',
    'an embedding service that hangs is waited for by one search and not by the next ones, and is asked again when it has rested',
    async () => {
      const memoir = await startMemoir(paid.env(MODEL), { searchLimits: { embedMs: 1000 } });
      onTestFinished(() => memoir.close());
      await addAll(memoir, documentsOf(0, 5));
      await memoir.idle();
      paid.server.always(hang);
      const mark = paid.mark();
      for (let at = 0; at < 4; at++) {
        const found = await search(memoir, noteOf(3), { searchMode: 'hybrid' });
        expect([found.status, textsOf(found)[0]]).toEqual([200, noteOf(3)]);
      }
      expect(paid.mark() - mark, 'one search has asked').toBe(1);
      expect((await health(memoir)).body.parts.embedder.status).toBe('degraded');
      paid.server.always(byModel);
      await until('searches by meaning', async () => (await search(memoir, noteOf(3))).status === 200);
    },
  );

  test('an embedding service that hangs for one request does not keep the documents after it waiting', async () => {
    const { memoir } = await setUp();
    paid.server.always((response, request) =>
      (request.body.input.some((text) => text.includes(noteOf(600))) ? hang : byModel)(response, request),
    );
    const mark = paid.mark();
    await addAll(memoir, [documentOf(600)]);
    await until('the request that hangs', () => paid.mark() > mark);
    const ids = await addAll(memoir, documentsOf(601, 5));
    for (const id of ids) expect((await memoir.settled(id)).status).toBe('done');
    paid.server.always(byModel);
  });

  test('an embedding service that refuses at the first start is named with what to do, and nothing is stored', async () => {
    paid.server.always(unauthorised);
    const start = startMemoir(paid.env(MODEL));
    onTestFinished(() => start.then((memoir) => memoir.close()).catch(() => undefined));
    await expect(start).rejects.toThrow(
      /asks the embedder once at its first start.*Set OPENAI_API_KEY.*Then start Memoir again; nothing was stored.*remove MEMOIR_EMBEDDING_MODEL/,
    );
    await expect(start).rejects.not.toThrow(/tries again|will be retried/);
  });
});

describe('a reindex with an embedding service at fault', () => {
  const NEXT = 'meaning-2';

  /** The other model alone is at fault. */
  const onlyNext =
    (fault: Behaviour): Behaviour =>
    (response, request) =>
      (request.body.model === NEXT ? fault : byModel)(response, request);

  const askReindex = (memoir: OwnMemoir) =>
    memoir.ask<{ error?: string; reindexing?: object }>('POST', '/v3/spaces/reindex', {});

  test('a reindex with an embedding service at fault does not start when it does not answer or the key is refused, and says why', async () => {
    const { memoir } = await setUp();
    await memoir.restart(paid.env(NEXT));
    paid.server.always(onlyNext(hangUp));
    const away = await askReindex(memoir);
    expect(away.status).toBe(503);
    expect(away.body.error).toMatch(
      /did not start, and the stored vectors go on serving: .*cannot be reached/,
    );
    paid.server.always(onlyNext(unauthorised));
    const refused = await askReindex(memoir);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatch(/did not start.*OPENAI_API_KEY.*Then run memoir reindex again\.$/);
    // Nothing tries it again: it did not start.
    expect(refused.body.error).not.toContain('by itself');
    expect(spacesIn(memoir.dir)).toHaveLength(1);
    expect(textsOf(await search(memoir, noteOf(3)))[0]).toBe(noteOf(3));
  });

  test('a reindex with an embedding service at fault is needed for other dimensions of the same model as well', async () => {
    const { memoir } = await setUp();
    await memoir.restart(paid.env(MODEL, 200));
    expect(await spaces(memoir)).toMatchObject({
      active: { model: MODEL, dimensions: 256 },
      wanted: { model: MODEL, dimensions: 200 },
      reindexNeeded: true,
    });
    expect((await health(memoir)).body.parts.embedder.detail).toMatch(
      /searches use openai meaning-1, 256 dimensions, the settings ask for openai meaning-1, 200 dimensions/,
    );
    expect(textsOf(await search(memoir, noteOf(3)))[0]).toBe(noteOf(3));
    await askReindex(memoir);
    await until('the change', async () => (await spaces(memoir)).active?.dimensions === 200);
    expect(textsOf(await search(memoir, noteOf(3)))[0]).toBe(noteOf(3));
  });

  test('a reindex that is asked for twice at once is one', async () => {
    const { memoir } = await setUp();
    await memoir.restart(paid.env(NEXT));
    const asked = await Promise.all(Array.from({ length: 5 }, () => askReindex(memoir)));
    expect(asked.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    expect(Math.max(...spacesIn(memoir.dir).map(({ id }) => id))).toBe(2);
    await until('the change', async () => (await spaces(memoir)).active?.model === NEXT);
  });

  test('a reindex with an embedding service at fault waits for it, says so, and holds up neither searches nor what is added', async () => {
    const { memoir } = await setUp();
    await memoir.restart(paid.env(NEXT));
    // It answers until it is calibrated, and no more when documents come.
    paid.server.always(
      onlyNext((response, request) => {
        const stored = request.body.input.some((text) => text.includes('Filed as'));
        return (stored ? hangUp : byModel)(response, request);
      }),
    );
    expect((await askReindex(memoir)).status).toBe(202);
    const ids = await addAll(memoir, documentsOf(300, 10));
    for (const [at, id] of ids.entries()) {
      expect((await memoir.settled(id)).status).toBe('done');
      expect(textsOf(await search(memoir, noteOf(300 + at)))[0]).toBe(noteOf(300 + at));
    }
    await until('it to be said', async () => (await spaces(memoir)).trouble !== null);
    expect(await spaces(memoir)).toMatchObject({
      active: { model: MODEL, answering: true },
      reindexing: { done: 0, total: 30 },
      trouble: expect.stringContaining('cannot be reached'),
    });
    expect((await health(memoir)).body.parts.embedder.detail).toMatch(
      /changing to openai meaning-2: 0 of 30.*cannot be/,
    );
    // More comes in before the new embedder is asked again: it is not waited for each time.
    await memoir.add(documentOf(400));
    expect(paid.embedded(0, NEXT).filter((text) => text === noteOf(400)).length).toBeLessThanOrEqual(1);

    paid.server.always(byModel);
    await until('the change', async () => (await spaces(memoir)).active?.model === NEXT, 40_000);
    for (const number of [3, 300, 309, 400])
      expect(textsOf(await search(memoir, noteOf(number)))[0]).toBe(noteOf(number));
  }, 90_000);

  test('a reindex with an embedding service at fault waits while the key is refused on the way, says so, and goes on by itself when it is accepted', async () => {
    const { memoir } = await setUp();
    await memoir.restart(paid.env(NEXT));
    paid.server.always(
      onlyNext((response, request) => {
        const stored = request.body.input.some((text) => text.includes('Filed as'));
        return (stored ? unauthorised : byModel)(response, request);
      }),
    );
    await askReindex(memoir);
    await until('it to be said', async () => (await spaces(memoir)).trouble !== null);
    expect(await spaces(memoir)).toMatchObject({
      active: { model: MODEL, answering: true },
      reindexNeeded: false,
      reindexing: { done: 0, total: 20 },
      trouble: expect.stringMatching(/refused the key \(401\).*OPENAI_API_KEY/),
    });
    expect((await health(memoir)).body.parts.embedder).toEqual({
      status: 'degraded',
      detail: expect.stringMatching(
        /meaning-1.*changing to openai meaning-2: 0 of 20.*refused the key \(401\)/,
      ),
    });
    expect((await memoir.add(documentOf(500))).status).toBe('done');
    expect(textsOf(await search(memoir, noteOf(500)))[0]).toBe(noteOf(500));
    paid.server.always(onlyNext(unauthorised));
    const mark = paid.mark();
    await until('it to be asked again', () => paid.embedded(mark, NEXT).length > 1);
    const batches = paid.server.received.slice(mark).filter(({ body }) => body.input.length > 1);
    expect(batches.length).toBeLessThanOrEqual(1);
    paid.server.always(byModel);
    await until('the change', async () => (await spaces(memoir)).active?.model === NEXT, 40_000);
    expect(textsOf(await search(memoir, noteOf(500)))[0]).toBe(noteOf(500));
    expect(Math.max(...spacesIn(memoir.dir).map(({ id }) => id))).toBe(2);
  }, 90_000);
});
