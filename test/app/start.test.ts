// Tests of the files that a start reads, thread by thread: most of the time of a start goes into them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newPlace, type Place, serve } from '../cli/memoir-process.ts';
import { SOURCE_PROGRAM } from '../support/program.ts';

let place: Place;
beforeEach(() => {
  place = newPlace();
});
afterEach(() => place.remove());

/** Notes the thread and the address of each module that a process loads. A pipe would be full while the test is busy. */
const HOOK = `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { threadName } from 'node:worker_threads';
registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED + process.pid, (threadName || 'api') + ' ' + url + '\\n'); return next(url, context); } });`;

/** They load a second after the start, which takes longer on a slow machine. */
const AGENT_TOOLS = /\/server\/mcp\/endpoint\.ts$/;

/** The most files of each thread: a file takes 0.3 ms at every start. */
const MOST: Readonly<Record<string, number>> = { api: 1075, writer: 267, ingest: 400 };

/** Loaded with the first document, statement, search or bucket that needs it. */
const LATER =
  /\/node_modules\/(kysely|htmlparser2|undici|jsdom|openai|pg|eld|wink-[a-z-]+)\/|\/rules\/(grammar|reader|english\/interpreter)\.ts$|model\.json$|\/table\.json$/;

/** The first start in a folder embeds questions, to learn how alike texts are. */
const isForCalibration = (thread: string, url: string): boolean =>
  thread === 'api' && url.endsWith('/meanings/table.json');

test('a start reads few files, and none that only later work needs', async () => {
  const notes = join(place.cwd, 'loaded');
  const server = await serve({
    ...place,
    program: SOURCE_PROGRAM,
    env: { LOADED: notes, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOOK)}` },
  });
  await server.stop();
  const loaded = readFileSync(`${notes}${server.child.pid}`, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, thread, url] = /^(\w+) (file:.*)$/.exec(line) ?? [];
      return thread === undefined || url === undefined ? [] : [{ thread, url }];
    });
  const tools = loaded.findIndex(({ url }) => AGENT_TOOLS.test(url));
  const atStart = tools === -1 ? loaded : loaded.slice(0, tools);
  const early = atStart.filter(({ thread, url }) => LATER.test(url) && !isForCalibration(thread, url));
  expect(early).toEqual([]);
  const counts = Object.entries(MOST).map(([thread, most]) => {
    const count = atStart.filter((one) => one.thread === thread).length;
    return { thread, few: count <= most, many: count > most / 2 };
  });
  expect(counts).toEqual(Object.keys(MOST).map((thread) => ({ thread, few: true, many: true })));
});
