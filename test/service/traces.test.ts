// Traces of a real process, as a collector gets them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newPlace, type Place, type Server, serve } from '../cli/memoir-process.ts';
import { verifies } from '../spec/verifies.ts';
import { attributeOf, type ReceivedSpan, startCollector, type TestCollector } from '../support/collector.ts';
import { until } from '../support/until.ts';

const KEY = 'sm_tests_C291gmajd2U7FXgPNYwPERfW11gY';
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

let place: Place;
let collector: TestCollector;
let server: Server | undefined;
beforeEach(async () => {
  place = newPlace();
  collector = await startCollector();
});
afterEach(async () => {
  await server?.stop('SIGKILL');
  server = undefined;
  await collector.close();
  place.remove();
});

const start = async (more: Record<string, string> = {}): Promise<Server> => {
  const env = { MEMOIR_API_KEY: KEY, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...more };
  server = await serve({ ...place, env });
  return server;
};

const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${server?.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};

const settled = (id: unknown) =>
  until(`the end of ${id}`, async () => {
    const { body } = await ask('GET', `/v3/documents/${id}`);
    return body.status === 'done' || body.status === 'failed';
  });

const WORDS = Array.from({ length: 12 }, (_, at) => `quokka${at}berry`);

/** The names from the span up to the request. */
const pathOf = (span: ReceivedSpan, all: readonly ReceivedSpan[]): string[] => {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent === undefined ? [] : pathOf(parent, all)), span.name];
};

verifies('traces:otlp:sent', 'go on from the caller through the operation to the store', async () => {
  const running = await start();
  const [content, title, customId, tag, q, missing, key, value] = WORDS;
  const traceparent = `00-${TRACE}-${CALLER}-01`;
  const added = await ask('POST', '/v3/documents', {
    ...{ content: `The ${content} is here.`, title, customId, containerTag: tag },
    ...{ metadata: { [key ?? '']: value }, filepath: `/${WORDS[8]}/${WORDS[9]}` },
  });
  await settled(added.body.id);
  await ask(
    'POST',
    '/v4/search',
    { q, containerTag: tag, filters: { AND: [{ key, value }] } },
    { traceparent },
  );
  await ask('GET', `/v3/documents/${missing}?include=${WORDS[10]}`);
  await ask('POST', '/v3/documents', { content: `http://127.0.0.1:1/${WORDS[11]}`, containerTag: tag });
  await until('the failed document', async () => {
    const { body } = await ask('POST', '/v3/documents/list', { containerTags: [tag], filters: undefined });
    return JSON.stringify(body).includes('"failed"');
  });
  await until('the vectors to be in Chroma', async () =>
    JSON.stringify((await ask('GET', '/health')).body).includes(' 0 vectors waiting for Chroma'),
  );
  expect(await running.stop()).toBe(0);

  const spans = collector.spans();
  const named = (name: string) => spans.filter((span) => span.name === name);
  const search = named('search.memories')[0] as ReceivedSpan;
  expect(pathOf(search, spans)).toEqual(['POST /v4/search', 'search.memories']);
  const request = named('POST /v4/search')[0] as ReceivedSpan;
  expect([request.traceId, request.parentSpanId, request.kind]).toEqual([TRACE, CALLER, 2]);
  expect(attributeOf(request, 'http.response.status_code')).toBe(200);
  const inside = spans
    .filter(({ traceId }) => traceId === TRACE)
    .map((span) => pathOf(span, spans).slice(0, 2));
  expect(inside.every(([first]) => first === 'POST /v4/search')).toBe(true);
  const names = new Set(spans.filter(({ traceId }) => traceId === TRACE).map(({ name }) => name));
  expect([...names].filter((name) => name.startsWith('store.')).length).toBeGreaterThan(1);
  expect(names).toContain('embedder.embedQuery');
  const writes = named('store.write').map((span) => pathOf(span, spans).join(' > '));
  expect(writes).toContain('POST /v3/documents > documents.add > store.documents.submit > store.write');
  for (const step of ['chunking', 'embedding', 'committing', 'indexing', 'remembering', 'extracting'])
    expect([step, named(step).length > 0]).toEqual([step, true]);
  expect(attributeOf(named('chunking')[0] as ReceivedSpan, 'memoir.document')).toBe(added.body.id);
  expect(named('extracting')[0]?.status.code, 'a failure is marked').toBe(2);
  expect(named('documents.get').find((span) => attributeOf(span, 'memoir.status') === 404)).toBeDefined();
  expect(spans.filter(({ name }) => name.startsWith('HTTP'))).toEqual([]);
  const sent = collector.bodies.join('\n');
  expect(sent).toContain('"service.name"');
  expect([...WORDS, KEY].filter((word) => sent.includes(word))).toEqual([]);
});

verifies('traces:otlp:off', 'are not sent where a setting says so', async () => {
  const running = await start({ OTEL_TRACES_EXPORTER: 'none' });
  await ask('GET', '/v3/session');
  expect(await running.stop()).toBe(0);
  expect(collector.bodies).toEqual([]);
});

test('name the command that installs their packages, and the server works without them', async () => {
  const hook = join(place.cwd, 'hook.mjs');
  writeFileSync(
    hook,
    `import { registerHooks } from 'node:module';
     registerHooks({ resolve(specifier, context, next) {
       if (!specifier.startsWith('@opentelemetry/')) return next(specifier, context);
       throw Object.assign(new Error("Cannot find package '" + specifier + "'"), { code: 'ERR_MODULE_NOT_FOUND' });
     } });`,
  );
  const running = await start({ NODE_OPTIONS: `--import=${pathToFileURL(hook)}` });
  expect((await ask('GET', '/v3/session')).status).toBe(200);
  expect(await running.stop()).toBe(0);
  expect(running.stderr()).toContain('npm install @opentelemetry/api@1 @opentelemetry/core@2');
  expect(collector.bodies).toEqual([]);
});

test('that no collector takes cost a warning and nothing else', async () => {
  const running = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    ...{ OTEL_EXPORTER_OTLP_TIMEOUT: '500', OTEL_BSP_SCHEDULE_DELAY: '100' },
  });
  expect((await ask('GET', '/v3/session')).status).toBe(200);
  await until('the warning', async () => running.stderr().includes('Traces are not sent'));
  expect(await running.stop()).toBe(0);
});
