// Tests of installing models from a hub on loopback and from folders.
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { catalogue } from '../../../server/adapters/models/catalogue.ts';
import { createModelLibrary } from '../../../server/adapters/models/library.ts';
import type { InstallProgress } from '../../../server/adapters/models/port.ts';
import { filesOf, installedLanguages, mostTokensOf } from '../../../server/lib/models/model-folder.ts';
import type { ModelRow } from '../../../server/lib/models/model-row.ts';
import { isRuntimeInstalled } from '../../../server/lib/models/runtime.ts';
import { type Hub, startHub } from '../../support/models/hub.ts';
import { addRuntime, folderWithRuntime } from '../../support/models/runtime.ts';
import { describeModel, tinyFiles, tinyRow, writeTinyModel } from '../../support/models/tiny-model.ts';
import { tinyRerankerRow } from '../../support/models/tiny-reranker.ts';

let hub: Hub;
let folder: string;
let files: string;
beforeEach(async () => {
  hub = await startHub();
  const root = mkdtempSync(join(tmpdir(), 'memoir-models-'));
  folder = join(root, 'models');
  files = join(root, 'files');
  writeTinyModel(files, ['A river.']);
});
afterEach(async () => {
  await hub.close();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

const library = () => createModelLibrary({ folder, hub: hub.url, languageHub: hub.url });

const install = async (row: ModelRow, from: string | null): Promise<InstallProgress[]> => {
  const seen: InstallProgress[] = [];
  await library().install(row, from, (progress) => void seen.push(progress), AbortSignal.timeout(100_000));
  return seen;
};

const publishWeights = (texts: readonly string[]): void => {
  const { weights } = tinyFiles(texts);
  hub.put('/memoir/tiny/resolve/main/onnx/model_quantized.onnx', { content: weights, etag: '"w"' });
};

const publish = (texts: readonly string[]): void => {
  publishWeights(texts);
  const { tokenizer } = tinyFiles(texts);
  hub.put('/memoir/tiny/resolve/main/tokenizer.json', { content: tokenizer, etag: '"t"' });
};

const tiny = () =>
  library()
    .list()
    .find(({ row }) => row.name === 'tiny');

const sha256Of = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('the list of models', () => {
  it('has a name once, and every row says for whom the model is', () => {
    const names = catalogue().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const { use, licence, languages } of catalogue())
      expect([use, licence, languages]).not.toContain('');
  });

  it('shows the models that the owner describes, and one of them hides a listed one of the same name', () => {
    describeModel(folder, tinyRow({ name: 'minilm' }));
    const named = library()
      .list()
      .filter(({ row }) => row.name === 'minilm');
    expect(named.map(({ row, isOwn }) => [row.use, isOwn])).toEqual([['For tests.', true]]);
  });

  it('reads rows of an earlier version, which knew embedding models alone', () => {
    const { for: _, ...former } = tinyRow();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'own.json'), JSON.stringify([former]));
    expect(tiny()?.row.for).toBe('embedding');
  });

  it.each([
    ['embedding models alone', '{"embedding": "tiny"}', ['tiny', null]],
    [
      'embedding and chat models',
      '{"embedding": null, "chat": "ollama:a", "mostTokens": {"ollama:b": 512}}',
      [null, 'ollama:a'],
    ],
    ['embedding models and rerankers', '{"embedding": "tiny", "reranking": "another"}', ['tiny', null]],
  ])('reads choices of an earlier version, which knew %s', (_, text, [embedding, chat]) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'in-use.json'), text);
    const { inUse, use } = library();
    const chosen = () => [inUse('embedding'), inUse('chat'), inUse('reranking')];
    expect(chosen().slice(0, 2)).toEqual([embedding, chat]);
    use('reranking', 'tiny-reranker');
    expect(chosen()).toEqual([embedding, chat, 'tiny-reranker']);
    use('embedding', 'other');
    expect(chosen()).toEqual(['other', chat, 'tiny-reranker']);
    expect(mostTokensOf(folder, 'ollama:b')).toBe(text.includes('512') ? 512 : null);
  });

  it.each([
    ['[{"name": "x"}]', /own\.json describes no models: 0\.kind/],
    ['not JSON', /own\.json is no valid JSON/],
    [
      JSON.stringify([{ ...tinyRow(), files: { weights: '../../x', tokenizer: 'tokenizer.json' } }]),
      /0\.files\.weights/,
    ],
    [JSON.stringify([{ ...tinyRow(), name: 'builtin' }]), /0\.name/],
    [JSON.stringify([{ ...tinyRerankerRow(), pooling: 'mean' }]), /pooling/],
    [JSON.stringify([{ ...tinyRow(), for: 'cooking' }]), /0\.for/],
  ])('refuses a row that cannot be used: %s', (text, sentence) => {
    describeModel(folder, tinyRow());
    writeFileSync(join(folder, 'own.json'), text);
    expect(() => library().list()).toThrow(sentence);
  });
});

describe('an installation', () => {
  it('downloads the files, and records where they came from and their hashes', async () => {
    await addRuntime(folder);
    describeModel(folder, tinyRow());
    publish(['A river.']);
    const seen = await install(tinyRow(), null);
    expect(seen.at(-1)?.step).toBe('runtime');
    expect(tiny()?.installed?.source).toBe(`${hub.url}/memoir/tiny`);
    const { files: hashes = {} } = tiny()?.installed ?? {};
    expect(Object.keys(hashes)).toEqual(filesOf(tinyRow()));
    for (const [file, hash] of Object.entries(hashes))
      expect(hash).toBe(sha256Of(join(folder, 'tiny', file)));
  });

  it('fetches no file twice after an interruption', async () => {
    await addRuntime(folder);
    publishWeights(['A river.']);
    await expect(install(tinyRow(), null)).rejects.toThrow(/answered 404/);
    publish(['A river.']);
    await install(tinyRow(), null);
    expect(hub.requests.filter(({ path }) => path.endsWith('.onnx'))).toHaveLength(1);
  });

  it.each([
    ['the folder itself', 'data/models/tiny'],
    ['a folder of models', 'data/models'],
    ['a data folder', 'data'],
  ])('takes the files from a folder: %s', async (_, place) => {
    await addRuntime(folder);
    const source = join(folder, '..');
    cpSync(files, join(source, 'data', 'models', 'tiny'), { recursive: true });
    await install(tinyRow(), join(source, place));
    expect(existsSync(join(folder, 'tiny', 'tokenizer.json'))).toBe(true);
    expect(hub.requests).toEqual([]);
  });

  it('takes the packages that run models from a folder too, so that no internet is needed', async () => {
    const other = await folderWithRuntime();
    cpSync(files, join(other, 'tiny'), { recursive: true });
    await install(tinyRow(), other);
    rmSync(join(other, 'tiny'), { recursive: true });
    expect(isRuntimeInstalled(folder)).toBe(true);
  });

  it('says which files a folder lacks', async () => {
    rmSync(join(files, 'tokenizer.json'));
    await expect(install(tinyRow(), files)).rejects.toThrow(
      /does not hold the files of the model tiny: onnx\/model_quantized\.onnx, tokenizer\.json/,
    );
  });

  it('refuses a file whose hash is pinned and another, and installs nothing', async () => {
    const row = tinyRow({ sha256: { 'tokenizer.json': 'a'.repeat(64) } });
    await expect(install(row, files)).rejects.toThrow(
      /tokenizer\.json of the model tiny is another file than expected: its SHA-256 is [0-9a-f]{64} and not a{64}\. Nothing was installed/,
    );
    expect(existsSync(join(folder, 'tiny'))).toBe(false);
  });

  it('refuses other files than those of the first download, until the model is removed', async () => {
    await addRuntime(folder);
    await install(tinyRow(), files);
    appendFileSync(join(files, 'tokenizer.json'), ' ');
    await expect(install(tinyRow(), files)).rejects.toThrow(/is another file than expected/);
    library().remove('tiny');
    await install(tinyRow(), files);
    expect(filesOf(tinyRow()).every((file) => existsSync(join(folder, 'tiny', file)))).toBe(true);
  });

  it('says how much room is missing before it downloads anything', async () => {
    await expect(install(tinyRow({ megabytes: 1e9 }), null)).rejects.toThrow(
      /needs 1000000000 MB, and the disk/,
    );
    expect(hub.requests).toEqual([]);
  });
});

describe('a language of OCR', () => {
  const deu = catalogue().find(({ name }) => name === 'ocr:deu');
  if (deu === undefined) throw new Error('The list of models holds no German for OCR.');
  const ours: ModelRow = { ...deu, sha256: {} };
  const file = 'deu.traineddata';
  const data = Buffer.from('the data of a language');

  it('is downloaded from its own repository without the packages that run models, and serves by its name', async () => {
    hub.put('/tesseract-ocr/tessdata_fast/raw/4.1.0/deu.traineddata', { content: data, etag: '"d"' });
    const seen = await install(ours, null);
    expect(seen.map(({ step }) => step)).not.toContain('runtime');
    expect(isRuntimeInstalled(folder)).toBe(false);
    expect(readFileSync(join(folder, 'ocr-deu', file))).toEqual(data);
    expect(installedLanguages(folder)).toEqual(['deu']);
    library().remove('ocr:deu');
    expect(installedLanguages(folder)).toEqual([]);
  });

  it('comes from a folder too, and another file than the known one is refused', async () => {
    writeFileSync(join(files, file), data);
    await expect(install(deu, files)).rejects.toThrow(/deu\.traineddata .* is another file than expected/);
    expect(installedLanguages(folder)).toEqual([]);
    await install(ours, files);
    expect(installedLanguages(folder)).toEqual(['deu']);
  });

  it('leaves no room for a model of the owner in its folder', () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'own.json'), JSON.stringify([{ ...tinyRow(), name: 'ocr-deu' }]));
    expect(() => library().list()).toThrow(/0\.name/);
  });
});
