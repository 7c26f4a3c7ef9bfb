// Files and folders by the command line: to a server found through the folder, to one elsewhere, and without any.
import { appendFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  folderFiles,
  type LocalFile,
  localFile,
  readPieces,
} from '../../server/cli/connection/local-files.ts';
import { placeWords } from '../../server/cli/output/passage-place.ts';
import { progressBar } from '../../server/cli/output/progress-bar.ts';
import { answerOf, newPlace, type Place, run, type Server, serve } from './memoir-process.ts';

// Each test starts several processes, and machines that build have other work as well.
vi.setConfig({ testTimeout: 60_000 });

const KEY = 'sm_files_dHvGbHtRuw2vucsCo3XSHTeanxRV';

let place: Place;
let server: Server;

beforeAll(async () => {
  place = newPlace();
  server = await serve({ ...place, env: { MEMOIR_API_KEY: KEY } });
  const write = (path: string, text: string | Buffer) => writeFileSync(join(place.cwd, path), text);
  mkdirSync(join(place.cwd, 'handbook', 'rooms'), { recursive: true });
  mkdirSync(join(place.cwd, 'handbook', 'node_modules'));
  mkdirSync(join(place.cwd, 'empty'));
  write('handbook/start.md', '# Start\n\nThe porter opens at seven.');
  write('handbook/rooms/prices.csv', 'room,price\nblue,40\ngreen,55\n');
  write('handbook/.hidden.md', 'Nobody reads this.');
  write('handbook/node_modules/other.md', 'This is of somebody else.');
  write('broken.pdf', '%PDF-1.7\nthat is all');
  write('vast.bin', '');
  truncateSync(join(place.cwd, 'vast.bin'), 50 * 1024 * 1024 + 1);
  symlinkSync(join(place.cwd, 'broken.pdf'), join(place.cwd, 'handbook', 'link.pdf'));
});

afterAll(async () => {
  await server.stop();
  place.remove();
});

interface Listed {
  memories: {
    id: string;
    filepath: string | null;
    customId: string | null;
    title: string;
    content: string;
  }[];
}

const list = async (tag: string): Promise<Listed['memories']> => {
  const answer = await fetch(`${server.url}/v3/documents/list`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ containerTags: [tag], includeContent: true, sort: 'createdAt', order: 'asc' }),
  });
  return ((await answer.json()) as Listed).memories.sort((a, b) =>
    (a.filepath ?? '') < (b.filepath ?? '') ? -1 : 1,
  );
};

describe('a file', () => {
  test('is uploaded as it is, with what is said about it', async () => {
    const { id } = await answerOf(
      ['add', 'handbook/rooms/prices.csv', '--tag', 'one', '--metadata', 'year=2025', '--wait'],
      place,
    );
    const [found] = await list('one');
    expect(found).toMatchObject({ id, metadata: { year: 2025 }, filepath: null });
    const { stdout } = await run(
      ['search', 'price of the green room', '--tag', 'one', '--threshold', '0'],
      place,
    );
    expect(stdout).toMatch(/prices · row 3 · /);
  });

  test('that cannot be read ends the waiting command with 1 and the reason', async () => {
    const { code, stdout } = await run(['add', 'broken.pdf', '--tag', 'broken', '--wait', '--json'], place);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', failure: { code: 'corrupt_file' } });
  });

  test('that is too large is not sent at all', async () => {
    const { code, stderr } = await run(['add', 'vast.bin'], place);
    expect(code).toBe(1);
    expect(stderr).toBe('vast.bin is larger than 50 MiB, the largest size of a file. Split it.\n');
  });

  test('goes to a server elsewhere with a key, and is refused in the words of that server', async () => {
    const there = ['--url', server.url, '--api-key', KEY];
    await answerOf(['add', 'handbook/start.md', '--tag', 'there', '--wait', ...there], newOutside());
    expect((await list('there')).map(({ title }) => title)).toEqual(['Start']);
    const wrong = await run(
      ['add', 'handbook/start.md', '--url', server.url, '--api-key', 'sm_wrong_key_of_some_length'],
      place,
    );
    expect(wrong).toMatchObject({ code: 1, stdout: '' });
    expect(wrong.stderr).toMatch(/key/i);
  });

  /** Without a data folder of its own. */
  const newOutside = () => ({ ...place, env: { MEMOIR_DATA_DIR: join(place.cwd, 'nowhere') } });
});

describe('a file that changes while it is read', () => {
  const contentOf = (file: LocalFile) => text(readPieces(file, () => undefined));

  test('is read as long as it was when it was looked at', async () => {
    const path = join(place.cwd, 'growing.log');
    writeFileSync(path, 'one\n');
    const file = localFile(path);
    appendFileSync(path, 'two\n');
    expect(await contentOf(file)).toBe('one\n');
    rmSync(path);
  });

  test('is refused with a sentence when it became shorter, or went', async () => {
    const path = join(place.cwd, 'shrinking.log');
    writeFileSync(path, 'one\ntwo\n');
    const file = localFile(path);
    truncateSync(path, 4);
    await expect(contentOf(file)).rejects.toThrow(
      'shrinking.log became shorter while it was read. Add it again.',
    );
    rmSync(path);
    await expect(contentOf(file)).rejects.toThrow('shrinking.log is not there');
    expect(() => localFile(path)).toThrow('shrinking.log is not there');
  });
});

describe('a folder', () => {
  test('becomes a document for each file, with its path, and with ids of its own if wished', async () => {
    const args = ['add', 'handbook', '--tag', 'all', '--custom-id', 'hb', '--wait'];
    const first = await run(args, place);
    expect(first.code).toBe(0);
    expect(first.stdout).toBe('Added 2 files of the folder handbook; they can be searched now.\n');
    expect(first.stderr).toMatch(/^\/handbook\/\S+ \(\d+ bytes\) as \w{22}\n\/handbook\/\S+ .*\n$/);
    const documents = await list('all');
    expect(documents.map(({ filepath, customId }) => [filepath, customId])).toEqual([
      ['/handbook/rooms/prices.csv', 'hb/handbook/rooms/prices.csv'],
      ['/handbook/start.md', 'hb/handbook/start.md'],
    ]);
    const again = await answerOf<{ documents: { id: string }[] }>(args, place);
    expect(again.documents.map(({ id }) => id).sort()).toEqual(documents.map(({ id }) => id).sort());
    expect(await list('all')).toHaveLength(2);
  });

  test('goes on after a file that cannot be added, and says at the end which', async () => {
    const { code, stdout } = await run(['add', '.', '--tag', 'mixed', '--wait', '--json'], place);
    expect(code).toBe(1);
    const { error, documents } = JSON.parse(stdout);
    expect(error).toMatch(
      /^2 of 4 files could not be added:\n.*broken\.pdf: .*\n.*vast\.bin: .*larger than 50 MiB/,
    );
    expect(documents).toHaveLength(4);
    expect((await list('mixed')).map(({ content }) => content).join()).toContain('The porter opens at seven');
  });

  // Other systems have no such names.
  test.runIf(process.platform === 'linux')(
    'with names that cannot be sent is added without these files, and each is named',
    async () => {
      const odd = join(place.cwd, 'odd');
      mkdirSync(odd);
      writeFileSync(join(odd, 'fine.txt'), 'The boat leaves at nine.');
      writeFileSync(join(odd, 'red\u001b[31m.txt'), 'Red.');
      writeFileSync(
        Buffer.concat([Buffer.from(`${odd}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')]),
        'Old.',
      );
      const { code, stdout } = await run(['add', 'odd', '--tag', 'odd', '--json'], place);
      expect(code).toBe(1);
      const { error, documents } = JSON.parse(stdout);
      expect(documents).toHaveLength(3);
      expect(error).toMatch(/^2 of 3 files could not be added:\n/);
      expect(error).toMatch(
        /caf\ufffd\.txt is not there: it was removed, or its name is not UTF-8\. Rename it then\./,
      );
      expect(error).toContain('.txt has control characters in its name. Rename it.');
      expect((await list('odd')).map(({ filepath }) => filepath)).toEqual(['/odd/fine.txt']);
    },
  );

  test('that cannot be read stops no other', () => {
    expect(folderFiles(join(place.cwd, 'nowhere'))).toMatchObject([
      { inFolder: 'nowhere', fault: expect.stringContaining('nowhere is not there') },
    ]);
  });

  test('without files, and with a title for one document, is refused', async () => {
    expect((await run(['add', 'empty'], place)).stderr).toMatch(/^The folder empty has no files to add/);
    expect(await run(['add', 'handbook', '--title', 'All'], place)).toMatchObject({ code: 2 });
  });
});

test('without a server the file is read by the command itself', async () => {
  const alone = newPlace();
  try {
    writeFileSync(
      join(alone.cwd, 'note.html'),
      '<html><body><h1>Tides</h1><p>High water at noon.</p></body></html>',
    );
    const added = await answerOf<{ id: string; status: string }>(['add', 'note.html'], alone);
    expect(added.status).toBe('done');
    const { results } = await answerOf<{ results: { chunk?: string; memory?: string }[] }>(
      ['search', 'When is high water?'],
      alone,
    );
    expect(results.map(({ chunk, memory }) => chunk ?? memory).join()).toContain('High water at noon');
  } finally {
    alone.remove();
  }
});

test.each([
  [0, 2_000_000, '[────────────────────] 0 % of 1.9 MiB  a.pdf'],
  [1_000_000, 2_000_000, '[██████████──────────] 50 % of 1.9 MiB  a.pdf'],
  [2048, 2048, '[████████████████████] 100 % of 2 KiB  a.pdf'],
  [0, 0, '[████████████████████] 100 % of 0 bytes  a.pdf'],
])('%i of %i is shown as a bar', (done, total, shown) =>
  expect(progressBar(done, total, 'a.pdf')).toBe(shown),
);

test.each([
  [{ page: 3 }, ['page 3']],
  [{ sheet: 'Sales', row: 12 }, ['Sales', 'row 12']],
  [{ startTime: 62.4 }, ['at 1:02']],
  [{ startTime: 3723 }, ['at 1:02:03']],
  [{ page: 'the last', kind: 'note' }, []],
  [null, []],
])('the place of %o is told in words', (metadata, shown) => expect(placeWords(metadata)).toEqual(shown));
