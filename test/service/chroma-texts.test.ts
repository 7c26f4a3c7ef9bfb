// Tests that Chroma, which every process of the machine can reach, holds nothing that says what a text is about.
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { createChance, testSeed } from '../isolation/secrets.ts';
import { verifies } from '../spec/verifies.ts';
import { until } from '../support/until.ts';
import { useServer } from '../support/use-server.ts';
import { collectionsOf, recordsOf, runningChroma } from './support/chroma.ts';

const memoir = useServer();
const seed = testSeed();

const waiting = (): number => {
  const db = new DatabaseSync(join(memoir.dir, 'memoir.db'), { readOnly: true, timeout: 10_000 });
  try {
    return Number(db.prepare('select count(*) as n from vector_outbox').get()?.n);
  } finally {
    db.close();
  }
};

const filesOf = (folder: string): Buffer[] =>
  globSync('**/*', { cwd: folder })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .map((path) => readFileSync(path));

verifies(
  'search:chroma:no-texts',
  `Chroma holds vectors, numbers of chunks and numbers of containers, and no word of what was stored (seed ${seed})`,
  async () => {
    const chance = createChance(seed);
    const secrets = Array.from({ length: 6 }, () => chance.secret());
    const [word, title, customId, containerTag, value, filepath] = secrets;
    const content = `My sister keeps the code ${word} of the vault in the north office.`;
    const metadata = { place: value };
    await memoir.add({ content, title, customId, containerTag, metadata, filepath: `/${filepath}` });
    await memoir.remembered(String(customId));
    await until('an empty outbox', () => waiting() === 0, 60_000);

    const chroma = runningChroma(memoir.dir);
    const collections = await collectionsOf(chroma.url);
    const records = (await Promise.all(collections.map((one) => recordsOf(chroma.url, one)))).flat();
    expect(records.length).toBeGreaterThan(0);
    for (const { id, metadata: stored, document } of records) {
      expect({ id, document }).toEqual({ id: expect.stringMatching(/^\d+$/), document: null });
      expect(stored).toEqual({ c: expect.any(Number) });
    }
    const files = filesOf(join(memoir.dir, 'chroma'));
    expect(files.length).toBeGreaterThan(0);
    for (const secret of secrets)
      for (const bytes of files)
        expect(bytes.includes(secret), `${secret} lies in a file of Chroma`).toBe(false);
  },
);
