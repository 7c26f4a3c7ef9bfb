// The folder of models on this machine: one folder a model, the runtime, the model in use, and the rows of the owner.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../hash.ts';
import { once } from '../once.ts';
import { entry } from '../threads/entry.ts';
import { LANGUAGE_FOLDER } from './language-folder.ts';
import type { ChosenModels, ModelRecord } from './model-files.ts';
import type { ModelRow } from './model-row.ts';

const RECORD = 'installed.json';
const CHOICE = 'in-use.json';
const OWN_ROWS = 'own.json';
const RUNTIME = 'runtime';

/** `chat`: the language model that draws memories, summarises profiles and rewords queries. */
export type ModelPurpose = 'embedding' | 'chat' | 'reranking';

/** The row of a model when it was installed: vectors stay comparable if the list of models changes later. */
export type InstalledModel<Purpose extends ModelRow['for'] = ModelRow['for']> = ModelRecord & {
  row: Extract<ModelRow, { for: Purpose }>;
};

const NO_CHOICE: ChosenModels = { embedding: null, chat: null, reranking: null, mostTokens: {} };

/** Loaded with the first file that is there: most folders are empty, and the schemas take a tenth of the start of a thread. */
const schemas = once(
  () =>
    createRequire(import.meta.url)(
      fileURLToPath(entry('./model-files', import.meta.url)),
    ) as typeof import('./model-files.ts'),
);

export const filesOf = ({ files }: ModelRow): readonly string[] =>
  'tokenizer' in files ? [files.weights, files.tokenizer] : [files.weights];

/** Not every file system takes a colon, as in "ocr:deu". */
export const folderNameOf = (name: string): string => name.replace(':', '-');

export const pathOfModel = (folder: string, name: string): string => join(folder, folderNameOf(name));
export const pathOfRuntime = (folder: string): string => join(folder, RUNTIME);

const readJson = (path: string): unknown => {
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`${path} is no valid JSON. Mend it, or remove it.`, { cause });
  }
};

/** A reader sees the former file or the new one, never a part. */
const writeJson = (path: string, value: unknown): void => {
  writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
};

/** Null: the model is not installed, or not completely. */
export const installedModelIn = (folder: string, name: string): InstalledModel | null => {
  const path = pathOfModel(folder, name);
  const record = readJson(join(path, RECORD));
  if (record === undefined) return null;
  const found = schemas().modelRecord.safeParse(record);
  if (!found.success) return null;
  return filesOf(found.data.row).every((file) => existsSync(join(path, file))) ? found.data : null;
};

/** The languages of OCR that are installed, as in "deu". */
export const installedLanguages = (folder: string): string[] => {
  const found = existsSync(folder) ? readdirSync(folder) : [];
  return found
    .filter((entry) => entry.startsWith(LANGUAGE_FOLDER))
    .map((entry) => entry.slice(LANGUAGE_FOLDER.length))
    .filter((language) => installedModelIn(folder, `ocr:${language}`) !== null);
};

const isFor = <Purpose extends ModelRow['for']>(
  model: InstalledModel,
  purpose: Purpose,
): model is InstalledModel<Purpose> => model.row.for === purpose;

/** Null also for an installed model of another purpose. */
export const installedModelFor = <Purpose extends ModelRow['for']>(
  folder: string,
  name: string,
  purpose: Purpose,
): InstalledModel<Purpose> | null => {
  const model = installedModelIn(folder, name);
  return model !== null && isFor(model, purpose) ? model : null;
};

export const recordInstalled = (path: string, model: InstalledModel): void =>
  writeJson(join(path, RECORD), model);

export const removeModel = (folder: string, name: string): void =>
  rmSync(pathOfModel(folder, name), { recursive: true, force: true });

const choiceIn = (folder: string): ChosenModels => {
  const stored = readJson(join(folder, CHOICE));
  return stored === undefined ? NO_CHOICE : (schemas().chosenModels.safeParse(stored).data ?? NO_CHOICE);
};

/** The model that a person chose for a purpose; null: none. */
export const modelInUse = (folder: string, purpose: ModelPurpose): string | null => choiceIn(folder)[purpose];

export const useModel = (folder: string, purpose: ModelPurpose, name: string | null): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeJson(join(folder, CHOICE), { ...choiceIn(folder), [purpose]: name });
};

/** Kept, because vectors of a former choice serve until the next reindex ends. */
export const keepMostTokens = (folder: string, name: string, mostTokens: number): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const chosen = choiceIn(folder);
  writeJson(join(folder, CHOICE), { ...chosen, mostTokens: { ...chosen.mostTokens, [name]: mostTokens } });
};

/** All choices, as processes on one database share them. */
export const modelChoicesIn = (folder: string): string => JSON.stringify(choiceIn(folder));

/** Takes the choices that another process made. A folder that processes share has them already. */
export const adoptModelChoices = (folder: string, choices: string): void => {
  if (choices === modelChoicesIn(folder)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeJson(join(folder, CHOICE), schemas().chosenModels.parse(JSON.parse(choices)));
};

/** The longest text of a model of a server on this machine; null: not known. */
export const mostTokensOf = (folder: string, name: string): number | null =>
  choiceIn(folder).mostTokens[name] ?? null;

/** The models that the owner describes in `own.json`. Throws a sentence for a row that cannot be used. */
export const ownRowsIn = (folder: string): ModelRow[] => {
  const path = join(folder, OWN_ROWS);
  const rows = readJson(path);
  if (rows === undefined) return [];
  const parsed = schemas().ownRows.safeParse(rows);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'the file';
  throw new Error(`${path} describes no models: ${place}: ${issue?.message}. docs/models.md shows a row.`);
};

/**
 * The name of the model's vectors: "minilm@1f3a5c7e". Other weights, or other ways to make a vector, give vectors that
 * cannot be compared with these.
 */
export const vectorModelOf = ({ row, files }: InstalledModel<'embedding'>): string => {
  const { pooling, prefixes, mostTokens } = row;
  const content = JSON.stringify([filesOf(row).map((file) => files[file]), pooling, prefixes, mostTokens]);
  return `${row.name}@${sha256(content).slice(0, 8)}`;
};

/** "minilm" for "minilm@1f3a5c7e". */
export const nameInVectorModel = (model: string): string => model.replace(/@[^@]*$/, '');
