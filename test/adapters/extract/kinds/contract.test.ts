// All declared kinds: each has a test, one file is enough for a new one, and declarations load no parser.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { renderContentPage } from '../../../../scripts/content-page.ts';
import { extractorLists, loadExtractors } from '../../../../scripts/extractors.ts';
import { generate } from '../../../../scripts/generate.ts';
import { declaredKinds } from '../../../../server/adapters/extract/extractor-list.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const run = promisify(execFile);

describe('every declared kind', () => {
  const tests = readdirSync(import.meta.dirname)
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n');

  it.each(declaredKinds.map(([kind]) => kind))('%s is tested against the contract', (kind) => {
    expect(tests).toContain(`describeKind('${kind}',`);
  });
});

describe('a new kind', () => {
  const copy = mkdtempSync(join(tmpdir(), 'memoir-new-kind-'));
  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  /** Notes that begin with "%NOTE": made up for this test. */
  const declaration = `// Notes: a kind that a test makes up.
import type { Extractor } from '../contract.ts';

export const noteExtractor: Extractor = {
  documentation: { formats: 'NOTE', readAs: 'its lines', places: '' },
  kinds: {
    note: {
      label: 'NOTE',
      mimeType: 'application/x-note',
      pace: 'quick',
      detect: { firstBytes: (head) => head.toString('latin1', 0, 5) === '%NOTE' },
    },
  },
  read: async (content, sink) => {
    sink.begin({ form: 'prose' });
    await sink.part({ text: (await content.bytes()).toString('utf8').slice(5).trim() });
  },
};
`;

  it('needs one file: after "npm run generate" it is detected, read, listed and documented', async () => {
    for (const folder of ['server/core', 'server/lib', 'server/adapters/extract', 'package.json'])
      cpSync(join(root, folder), join(copy, folder), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
    const folder = join(copy, 'server/adapters/extract');
    writeFileSync(join(folder, 'kinds/note.ts'), declaration);

    const written = generate(await extractorLists(folder), { check: false });
    expect(written).toEqual([
      join(folder, 'content-kinds.generated.ts'),
      join(folder, 'kinds/index.generated.ts'),
    ]);

    const script = join(copy, 'read.mjs');
    const sample = join(copy, 'sample');
    writeFileSync(sample, '%NOTE Buy some bread.');
    writeFileSync(
      script,
      `import { failure } from './server/adapters/extract/failures.ts';
       import { readContent } from './server/adapters/extract/child/read.ts';
       const read = [];
       const context = { place: { scratch: '', ocrMs: 0, ocrPageMs: 0 }, tell: (event) => read.push(event.head), send: async (parts) => read.push(...parts) };
       await readContent({ file: ${JSON.stringify(sample)} }, context);
       console.log(JSON.stringify({ read, refused: failure('unsupported_type').message }));`,
    );
    const { read, refused } = JSON.parse((await run(process.execPath, [script])).stdout);
    expect(read).toMatchObject([
      { kind: 'note', mimeType: 'application/x-note' },
      { text: 'Buy some bread.' },
    ]);
    expect(refused).toContain('NOTE, ');

    const page = renderContentPage(
      readFileSync(join(root, 'docs/content.md'), 'utf8'),
      await loadExtractors(folder),
    );
    expect(page).toContain('| NOTE | its lines |');
    expect(page).toMatch(/`unsupported_type` \|[^|]* NOTE, /);
  }, 60_000);

  it('is refused by the generator when its file exports no extractor', async () => {
    const folder = join(copy, 'broken');
    cpSync(join(root, 'server/adapters/extract/kinds'), join(folder, 'kinds'), { recursive: true });
    writeFileSync(join(folder, 'kinds/empty.ts'), '// Nothing.\n');
    await expect(extractorLists(folder)).rejects.toThrow('kinds/empty.ts must export one extractor');
  });
});

describe('the libraries of the extractors', () => {
  const loadedBy = async (file: string): Promise<string[]> => {
    const script = `
      import { registerHooks } from 'node:module';
      const packages = new Set();
      registerHooks({ resolve(name, context, next) {
        if (!/^(?:node:|file:|[./])/.test(name) && !context.parentURL?.includes('node_modules')) packages.add(name);
        return next(name, context);
      } });
      await import(${JSON.stringify(join(root, file))});
      console.log(JSON.stringify([...packages].sort()));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    return JSON.parse(stdout) as string[];
  };

  it('are not loaded by the declarations, nor when the child process starts', async () => {
    expect(await loadedBy('server/adapters/extract/kinds/index.generated.ts')).toEqual([]);
    expect(await loadedBy('server/adapters/extract/child/read.ts')).toEqual([]);
  });

  it('are not loaded in the process of the API', async () => {
    expect(await loadedBy('server/adapters/extract/extractor.ts')).toEqual([]);
  });
});
