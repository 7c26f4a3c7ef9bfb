// The folder that a closed Memoir leaves behind.
import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startMemoir } from '../support/memoir.ts';

test('a folder that was closed holds the database in one file', async () => {
  const memoir = await startMemoir();
  onTestFinished(memoir.close);
  await memoir.add({ content: 'A heron waits by the lake.' });
  for (const searchMode of ['keyword', 'semantic'])
    await memoir.ask('POST', '/v4/search', { q: 'heron', searchMode });
  const files = () =>
    readdirSync(memoir.dir)
      .filter((name) => name.startsWith('memoir.db'))
      .sort();
  expect(files()).toEqual(['memoir.db', 'memoir.db-shm', 'memoir.db-wal']);
  let left: string[] = [];
  await memoir.restart({}, () => {
    left = files();
  });
  expect(left).toEqual(['memoir.db']);
});
