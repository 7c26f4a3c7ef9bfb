// Tests of fetching the native Chroma server for older systems from a registry on loopback with a small made-up library.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  fetchOlderBinding,
  needsOlderBinding,
  olderBindingFile,
} from '../../../../server/adapters/vectors/chroma/server/older-binding.ts';
import { withoutSections } from '../../../../server/lib/files/elf.ts';

const NAME = 'package/chromadb-js-bindings.linux-x64-gnu.node';

/** A library of one segment that ends at `loaded`, with sections behind it. */
const library = (loaded: number, length: number): Buffer => {
  const bytes = Buffer.alloc(length, 'x');
  bytes.fill(0, 0, 200);
  bytes.write('\x7fELF\x02\x01', 'latin1');
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeBigUInt64LE(BigInt(loaded), 40);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(1, 56);
  bytes.writeUInt16LE(9, 60);
  bytes.writeBigUInt64LE(0n, 64 + 8);
  bytes.writeBigUInt64LE(BigInt(loaded), 64 + 32);
  return bytes;
};

const inTar = (name: string, bytes: Buffer): Buffer => {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(bytes.length.toString(8).padStart(11, '0'), 124);
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
};

const packed = (bytes: Buffer): Buffer =>
  gzipSync(
    Buffer.concat([
      inTar('package/README.md', Buffer.from('# Chroma')),
      inTar(NAME, bytes),
      Buffer.alloc(1024),
    ]),
  );

let folder: string;
let server: Server;
let registry: string;
let answer: Buffer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memoir-binding-'));
  server = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const LOADED = 100_000;
const stored = withoutSections(library(LOADED, 300_000).subarray(0, LOADED));
const sha256 = createHash('sha256').update(stored).digest('hex');

describe('the server for older systems', () => {
  test('is stored without the debug sections behind its last segment', async () => {
    answer = packed(library(LOADED, 300_000));
    const file = join(folder, 'cache', 'chroma.node');
    expect(await fetchOlderBinding({ file, registry, sha256 })).toBe(true);
    expect(readFileSync(file).equals(stored)).toBe(true);
    expect(readdirSync(join(folder, 'cache'))).toEqual(['chroma.node']);
  });

  test('is fetched once', async () => {
    answer = packed(library(LOADED, 300_000));
    const file = join(folder, 'chroma.node');
    await fetchOlderBinding({ file, registry, sha256 });
    server.closeAllConnections();
    server.close();
    expect(await fetchOlderBinding({ file, registry, sha256 })).toBe(false);
  });

  test.each([
    ['another file', () => packed(library(LOADED - 1, 300_000)), 'is not the expected one'],
    [
      'a download that breaks off',
      () => packed(library(LOADED, 300_000)).subarray(0, 200),
      'unexpected end of file',
    ],
    [
      'a package without the server',
      () => gzipSync(inTar('package/README.md', Buffer.from('#'))),
      'ended too early',
    ],
    ['something that is no library', () => packed(Buffer.alloc(300_000)), 'no 64-bit ELF library'],
    ['no package at all', () => Buffer.from('<html>'), 'incorrect header check'],
  ])('is refused when the registry sends %s, and nothing is stored', async (_what, sends, reason) => {
    answer = sends();
    const file = join(folder, 'chroma.node');
    const failure = fetchOlderBinding({ file, registry, sha256 });
    await expect(failure).rejects.toThrow(reason);
    await expect(failure).rejects.toThrow('or set CHROMA_URL to a Chroma server');
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([
    ['linux', 'x64', '2.36', true],
    ['linux', 'x64', '2.38', true],
    ['linux', 'x64', '2.39', false],
    ['linux', 'x64', '3.0', false],
    ['linux', 'x64', undefined, false],
    ['linux', 'arm64', '2.36', false],
    ['darwin', 'arm64', undefined, false],
  ])('is needed on %s %s with glibc %s: %s', (platform, arch, glibc, needed) =>
    expect(needsOlderBinding({ platform, arch, glibc })).toBe(needed),
  );

  test('is stored in the cache folder of the user', () => {
    expect(olderBindingFile({ XDG_CACHE_HOME: '/var/cache' })).toBe(
      join('/var/cache', 'memoir', 'chroma-1.0.5-linux-x64.node'),
    );
    expect(olderBindingFile({})).toMatch(/\.cache/);
  });

  test('loads from the place where it was stored', { skip: !needsOlderBinding() }, () =>
    expect(existsSync(olderBindingFile())).toBe(true),
  );
});
