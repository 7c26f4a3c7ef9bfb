// What the README says to try, run as it stands there: each line answers, and each search finds what was added before.
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { root } from '../../scripts/source/parse.ts';
import { newPlace, type Place, runLine, type Server, serve } from '../cli/memoir-process.ts';
import { textOf } from './surface.ts';

// Each line is a process of its own, and machines that build have other work as well.
vi.setConfig({ testTimeout: 360_000, hookTimeout: 180_000 });

const KEY = 'sm_readme_JL57WAGPGhRV5ix3aeXaY4dBsScX';
const ADDRESS = 'http://127.0.0.1:6767';

let place: Place;
let server: Server;
beforeAll(async () => {
  place = newPlace();
  server = await serve({ ...place, env: { MEMOIR_API_KEY: KEY } });
  copyFileSync(join(root, 'test/fixtures/samples/pdf/uni.pdf'), join(place.cwd, 'report.pdf'));
  symlinkSync(join(root, 'node_modules'), join(place.cwd, 'node_modules'));
});
afterAll(async () => {
  await server.stop();
  place.remove();
});

const blocks = (language: string): string[] =>
  [...textOf('README.md').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code = '']) => code.replaceAll(ADDRESS, server.url),
  );

/** A line that ends in a backslash goes on in the next. */
const linesFor = (program: string): string[] =>
  blocks('sh')
    .flatMap((block) => block.split(/(?<!\\)\n/))
    .filter((line) => line.startsWith(program));

const answerTo = async (line: string): Promise<string> => {
  const { code, stdout, stderr } = await runLine(line, { ...place, env: { KEY } });
  expect(code, `${line}\n${stdout}${stderr}`).toBe(0);
  return stdout;
};

const ask = async (path: string): Promise<unknown> =>
  (await fetch(server.url + path, { headers: { authorization: `Bearer ${KEY}` } })).json();

/** Whoever reads on meanwhile gives it this moment. */
const processed = async (): Promise<void> => {
  const nothingLeft = async () =>
    expect(await ask('/v3/documents/processing')).toMatchObject({ totalCount: 0 });
  await vi.waitFor(nothingLeft, { timeout: 120_000 });
  expect(await ask('/v3/documents?status=failed')).toMatchObject({ memories: [] });
};

/** Memories are drawn after a document can be searched. */
const remembered = async (): Promise<void> => {
  const { memories } = (await ask('/v3/documents')) as { memories: { id: string }[] };
  for (const { id } of memories)
    await vi.waitFor(
      async () => expect(await ask(`/v3/documents/${id}`)).toMatchObject({ dreamingStatus: 'done' }),
      { timeout: 120_000 },
    );
};

test('the lines for the terminal add a text and a file, and find the text', async () => {
  const [addText = '', search = '', addFile = ''] = linesFor('npm run -s memoir -- ');
  expect(await answerTo(addText)).toContain('Added the text');
  await processed();
  expect(await answerTo(search)).toContain('Anna moved to Munich');
  expect(await answerTo(addFile)).toContain('Added the file ./report.pdf');
  await processed();
});

test('the lines for HTTP add a conversation and a file, and find what was said', async () => {
  const [add = '', search = '', addFile = ''] = linesFor('curl ');
  expect(JSON.parse(await answerTo(add))).toMatchObject({ status: 'queued' });
  await processed();
  expect(await answerTo(search)).toContain('allergic to peanuts');
  expect(JSON.parse(await answerTo(addFile))).toMatchObject({ status: 'queued' });
  await processed();
});

test('the program for the published client finds what it added', async () => {
  const [program = ''] = blocks('ts');
  expect(program).toContain("from 'supermemory'");
  writeFileSync(join(place.cwd, 'try.mts'), `${program}console.log(JSON.stringify(results));\n`);
  expect(await answerTo(`"${process.execPath}" try.mts`)).toContain('Ben prefers window seats');
});

/** A session: each command with the answer below it; the places of ids and dates are told by their form. */
const session = (): { command: string; answer: string }[] =>
  blocks('console')
    .join('')
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...lines] = part.trim().split('\n');
      return { command, answer: lines.join('\n') };
    });

const withoutIds = (text: string): string =>
  text
    .replace(/\b[1-9A-HJ-NP-Za-km-z]{22}\b/g, '<id>')
    .replace(/\b\d{4}-\d{2}-\d{2}\b/g, '<date>')
    .replace(/\b\d{1,2} \p{Lu}\p{Ll}+ \d{4}\b/gu, '<day>')
    .trim();

test('the session on the first screen answers as it is shown', async () => {
  const shown = session();
  expect(shown.length).toBeGreaterThan(2);
  for (const { command, answer } of shown) {
    if (command.includes(' search ')) await remembered();
    expect(withoutIds(await answerTo(command)), command).toBe(withoutIds(answer));
  }
});
