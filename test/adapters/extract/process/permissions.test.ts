// Tests of the permissions of code in the child process, in case a parser were made to run it.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import {
  handOver,
  openChildFolders,
  takePieces,
} from '../../../../server/adapters/extract/process/child-folders.ts';
import { permissionOptions } from '../../../../server/adapters/extract/process/permissions.ts';

const folder = mkdtempSync(join(tmpdir(), 'memoir-confined-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const secret = join(folder, 'secret');
writeFileSync(secret, 'of another tag');
const original = join(folder, 'original');
writeFileSync(original, 'the content');
const folders = openChildFolders(join(folder, 'child'));
const output = join(folders.output, 'file');

/** Each line is tried; the result is "done" or the code of the error. */
const hostile = (input: string): Readonly<Record<string, string>> => ({
  'reads its content': `fs.readFileSync(${JSON.stringify(input)})`,
  'writes its results': `fs.writeFileSync(${JSON.stringify(output)}, 'x')`,
  'reads another file': `fs.readFileSync(${JSON.stringify(secret)})`,
  'reads the original by its own name': `fs.readFileSync(${JSON.stringify(original)})`,
  'lists the folder of the service': `fs.readdirSync(${JSON.stringify(folder)})`,
  'changes its content': `fs.writeFileSync(${JSON.stringify(input)}, 'x')`,
  'gives its content a name that can be written': `fs.linkSync(${JSON.stringify(input)}, ${JSON.stringify(`${output}2`)})`,
  'links to another file': `fs.symlinkSync(${JSON.stringify(secret)}, ${JSON.stringify(`${output}3`)})`,
  'opens a database': `new (process.getBuiltinModule('node:sqlite').DatabaseSync)(${JSON.stringify(secret)})`,
  'reads an environment file': `process.loadEnvFile(${JSON.stringify(secret)})`,
  'writes a report': `process.report.writeReport(${JSON.stringify(join(folder, 'report'))})`,
  'writes a snapshot': `process.getBuiltinModule('v8').writeHeapSnapshot(${JSON.stringify(join(folder, 'heap'))})`,
  'opens a blob of another file': `await fs.openAsBlob(${JSON.stringify(secret)}).then((blob) => blob.text())`,
  'imports another file': `await import(${JSON.stringify(secret)})`,
  'requires another file': `process.getBuiltinModule('module').createRequire(${JSON.stringify(secret)})(${JSON.stringify(secret)})`,
  'starts a program': `process.getBuiltinModule('child_process').execFileSync('true')`,
  'loads native code': `process.dlopen({ exports: {} }, ${JSON.stringify(input)})`,
  'opens a socket': `await new Promise((done, failed) => net.connect(9, '127.0.0.1').on('connect', done).on('error', failed))`,
  'opens a socket by its class': `new net.Socket().connect(9, '127.0.0.1')`,
  listens: `net.createServer().listen(0)`,
  'sends a datagram': `process.getBuiltinModule('dgram').createSocket('udp4')`,
  'looks up a name': `await process.getBuiltinModule('dns').promises.lookup('localhost')`,
  fetches: `await fetch('http://127.0.0.1:9')`,
  'asks over HTTP': `await new Promise((done, failed) => process.getBuiltinModule('http').get('http://127.0.0.1:9', done).on('error', failed))`,
  'ends its parent': `process.kill(process.ppid, 0)`,
  'opens the inspector': `process.getBuiltinModule('inspector').open(0)`,
});

const tried = (input: string): string => `
  import fs from 'node:fs';
  import net from 'node:net';
  const results = {};
  const attempt = async (name, run) => {
    try { await run(); results[name] = 'done'; } catch (error) { results[name] = error.code ?? error.message; }
  };
  ${Object.entries(hostile(input))
    .map(([name, code]) => `await attempt(${JSON.stringify(name)}, async () => ${code});`)
    .join('\n')}
`;

const runConfined = async (script: string): Promise<Record<string, string>> => {
  const options = [...permissionOptions(folders), '--no-warnings', '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, options, { timeout: 60_000 });
  return JSON.parse(stdout);
};

const ALLOWED = new Set(['reads its content', 'writes its results']);

describe('code in the process that reads content', () => {
  it('reads its content and writes its results, and has no other file, program or network', async () => {
    const input = await handOver(original, folders, 'content');
    const results = await runConfined(`${tried(input)} process.stdout.write(JSON.stringify(results));`);
    const done = Object.keys(results).filter((name) => results[name] === 'done');
    expect(done.sort()).toEqual([...ALLOWED].sort());
    expect(Object.keys(results).sort()).toEqual(Object.keys(hostile(input)).sort());
    expect(readFileSync(original, 'utf8')).toBe('the content');
  }, 120_000);

  it('has no more in a thread of its own, whatever options it gives the thread', async () => {
    const input = await handOver(original, folders, 'in-thread');
    const thread = `${tried(input)} process.getBuiltinModule('worker_threads').parentPort.postMessage(results);`;
    const results = await runConfined(`
      import { Worker } from 'node:worker_threads';
      const code = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(thread)}));
      const worker = new Worker(code, { execArgv: [], env: {} });
      worker.once('message', (results) => process.stdout.write(JSON.stringify(results)));
    `);
    const done = Object.keys(results).filter((name) => results[name] === 'done');
    expect(done.sort()).toEqual([...ALLOWED].sort());
  }, 120_000);
});

describe('the results of a job', () => {
  it('are moved out of the reach of the next job, by their names alone', async () => {
    const from = join(folders.output, 'job');
    const to = join(folder, 'kept');
    mkdirSync(from);
    writeFileSync(join(from, 'part-1.mp3'), 'sound');
    const piece = { name: 'part-1.mp3', mimeType: 'audio/mpeg', startTime: 0, endTime: 1 };
    const kept = await takePieces(
      [
        { ...piece, file: join(from, 'part-1.mp3') },
        { ...piece, file: secret },
      ],
      { from, to },
    );
    expect(kept.map(({ file }) => file)).toEqual([join(to, 'part-1.mp3'), join(to, 'secret')]);
    expect(existsSync(join(from, 'part-1.mp3'))).toBe(false);
    expect(readFileSync(join(to, 'part-1.mp3'), 'utf8')).toBe('sound');
  });

  it('need a content that exists', async () => {
    await expect(handOver(join(folder, 'nothing'), folders, 'x')).rejects.toMatchObject({
      code: 'extraction_failed',
    });
  });
});
