// Tests of the lock on Chroma's folder and of sweeping it.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  emptyChromaFolder,
  lockFolder,
  sweepFolder,
} from '../../../../server/adapters/vectors/chroma/server/chroma-folder.ts';

const LIVE = '11111111-2222-3333-4444-555555555555';
const ORPHAN = '99999999-2222-3333-4444-555555555555';

let root = '';
let folder = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'chroma-folder-'));
  folder = join(root, 'chroma');
  mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true }));

const writeSegments = (ids: (string | Uint8Array)[]) => {
  const db = new DatabaseSync(join(folder, 'chroma.sqlite3'));
  db.exec('CREATE TABLE segments (id)');
  for (const id of ids) db.prepare('INSERT INTO segments VALUES (?)').run(id);
  db.close();
};

describe("the lock on Chroma's folder", () => {
  it('keeps a second process out, with a sentence, until it is released', async () => {
    const first = await lockFolder(folder, 0);
    await expect(lockFolder(folder, 60)).rejects.toThrow(
      /already runs a Chroma on .*chroma.*60 ms.*Stop the other/,
    );
    const waiting = lockFolder(folder, 2_000);
    first.release();
    (await waiting).release();
  });

  it('survives the deletion of the folder', async () => {
    const first = await lockFolder(folder, 0);
    rmSync(folder, { recursive: true });
    await expect(lockFolder(folder, 0)).rejects.toThrow('Stop the other server');
    first.release();
  });

  it('protects the folder from being emptied', async () => {
    writeFileSync(join(folder, 'kept'), '');
    const first = await lockFolder(folder, 0);
    await expect(emptyChromaFolder(folder, 0)).rejects.toThrow('Stop the other server');
    expect(existsSync(join(folder, 'kept'))).toBe(true);
    first.release();
    await emptyChromaFolder(folder, 0);
    expect(existsSync(folder)).toBe(false);
  });
});

describe('sweeping the folder', () => {
  it('removes the indexes of dropped collections and nothing else', () => {
    writeSegments([LIVE]);
    for (const name of [LIVE, ORPHAN, 'notes']) mkdirSync(join(folder, name));
    expect(sweepFolder(folder)).toBe(1);
    expect([LIVE, ORPHAN, 'notes'].map((name) => existsSync(join(folder, name)))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('changes nothing when the database is unknown', () => {
    writeSegments([LIVE, new Uint8Array([1, 2])]);
    mkdirSync(join(folder, ORPHAN));
    expect(sweepFolder(folder)).toBe(0);
    expect(existsSync(join(folder, ORPHAN))).toBe(true);
  });

  it('finds nothing to do in a new folder', () => {
    expect(sweepFolder(folder)).toBe(0);
  });
});
