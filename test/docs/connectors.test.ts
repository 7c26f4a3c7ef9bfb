// The commands of docs/connectors/s3.md, run as they stand there against a fake bucket: from nothing to a search result.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newPlace, type Place, runLine, type Server, serve } from '../cli/memoir-process.ts';
import { type FakeBucket, startFakeBucket } from '../fakes/s3.ts';
import { verifies } from '../spec/verifies.ts';
import { textOf } from './surface.ts';

// Each line is a process of its own, and machines that build have other work as well.
vi.setConfig({ testTimeout: 360_000, hookTimeout: 180_000 });

const page = textOf('docs/connectors/s3.md');
const HOST = 'minio:9000';

let place: Place;
let server: Server;
let bucket: FakeBucket;
beforeAll(async () => {
  bucket = await startFakeBucket();
  await bucket.put('plans/ferry.txt', 'The ferry to the island leaves at noon.');
  await bucket.put('empty.txt', '');
  place = newPlace();
  const [keys = '', setting = ''] = blocks('text');
  writeFileSync(join(place.cwd, 'keys.txt'), keys);
  const [name = '', value = ''] = setting.trim().split('=');
  server = await serve({ ...place, env: { [name]: value } });
});
afterAll(async () => {
  await server.stop();
  await bucket.close();
  place.remove();
});

const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) =>
    code.replaceAll(HOST, new URL(bucket.endpoint).host),
  );

/** As it is typed where Memoir is installed. */
const typed = (line: string) => runLine(line.replace(/^memoir /, 'npm run -s memoir -- '), place);

const answerTo = async (line: string): Promise<string> => {
  const { code, stdout, stderr } = await typed(line);
  expect(code, `${line}\n${stdout}${stderr}`).toBe(0);
  return stdout;
};

test('the commands of the page lead from nothing to a search result', async () => {
  const [dryRun = '', add = '', search = ''] = blocks('sh').join('').trim().split('\n');
  expect(await answerTo(dryRun)).toContain('1 file with 39 bytes would be synced, 1 file would be left out');
  expect(await answerTo(add)).toContain('s3 s3:');
  expect(await answerTo(search)).toContain('leaves at noon');
  const [id = ''] = /^\w{22}/m.exec(await answerTo('memoir connections list')) ?? [];
  expect(await answerTo(`memoir connections problems ${id}`)).toContain('empty.txt is empty');
  expect(await answerTo(`memoir connections runs ${id}`)).toContain('completed');
  await bucket.put('late.txt', 'The late bus goes at ten.');
  expect(await answerTo(`memoir connections sync ${id}`)).toContain('2 of 3 · 1 skipped');
  expect(await answerTo(`memoir connections pause ${id}`)).toContain('is paused');
  const paused = await typed(`memoir connections sync ${id}`);
  expect([paused.code, paused.stderr]).toEqual([1, expect.stringContaining('is paused')]);
  expect(await answerTo(`memoir connections resume ${id}`)).toContain('goes on');
  expect(await answerTo(`memoir connections remove ${id} --keep-documents`)).toContain('its documents stay');
  expect(await answerTo('memoir connections list')).toContain('There is no connection yet');
  expect(await answerTo(search)).toContain('leaves at noon');
});

test('missing options and secrets are named as they are typed', async () => {
  const bare = await typed('memoir connections add s3');
  expect([bare.code, bare.stderr]).toEqual([
    1,
    expect.stringMatching(/metadata\.bucket.*--set name=value.*--secrets <file>/s),
  ]);
  const lost = await typed('memoir connections add s3 --set bucket=originals --secrets lost.txt');
  expect([lost.code, lost.stderr]).toEqual([
    1,
    expect.stringContaining('The secrets in lost.txt could not be read: there is no such file.'),
  ]);
});

test('a secret as an argument is refused', async () => {
  const { code, stderr } = await typed('memoir connections add s3 --set secretAccessKey=abc');
  expect([code, stderr]).toEqual([1, expect.stringContaining('--secrets')]);
});

verifies('connections:create:misspelled', 'an option that the source does not have is named', async () => {
  const keys = '--set bucket=originals --set region=auto --secrets keys.txt';
  const wrong = await typed(`memoir connections add s3 ${keys} --set prefx=plans/`);
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    expect.stringMatching(/s3 has no option prefx\. Did you mean prefix\?.*--metadata/s),
  ]);
  const at = `--set endpoint=${bucket.endpoint}`;
  const counted = await answerTo(
    `memoir connections add s3 ${keys} ${at} --set prefix=plans/ --metadata department=travel --dry-run`,
  );
  expect(counted).toContain('1 file with');
});
