// Actions with files, and checks that each original is stored once and complete, without leftover files.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ask, until } from './api.ts';
import type { Folder } from './server.ts';
import { reading } from './sql.ts';
import { fresh, type Story, type Upload } from './stories.ts';
import { accept, live, pageOf, type Work } from './work.ts';

/** Long enough that a kill often interrupts the transfer, and without readable text. */
const LONGEST_PADDING = 1 << 21;

const GONE_MS = 10_000;

const formOf = ({ customId, tags }: Upload, page: string): FormData => {
  const form = new FormData();
  form.append('customId', customId);
  for (const tag of tags) form.append('containerTags', tag);
  form.append('file', new Blob([page]), `${customId}.html`);
  return form;
};

const digest = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const send = async ({ ask, chance }: Work, upload: Upload, token: string): Promise<void> => {
  const page = `${pageOf(token)}<!-- ${'-'.repeat(chance.below(LONGEST_PADDING))}`;
  upload.unsure = { token, sha256: digest(page) };
  upload.id = await accept(ask, 'POST', '/v3/documents/file', formOf(upload, page));
  upload.held = upload.unsure;
  upload.unsure = null;
};

/** Uploads a new file, or replaces an existing one. */
export const uploadFile = async (work: Work): Promise<void> => {
  const { chance, stories, token, name } = work;
  const word = token();
  const known = chance.below(2) === 0 ? live(work, 'upload') : undefined;
  if (known) return send(work, known, word);
  const first = { token: word, sha256: '' };
  const tags = [`tag ${chance.below(4)}`];
  const customId = `upload-${name}-${word}`;
  const upload: Upload = { ...fresh(...tags), kind: 'upload', customId, held: first, unsure: null };
  stories.push(upload);
  await send(work, upload, word);
};

/** The errors in the text of an upload; it also decides which of its files is stored. */
export const settleUpload = (upload: Upload, text: string): string | null => {
  const held = [upload.unsure, upload.held].filter(
    (version) => version !== null && text.includes(version.token),
  );
  const [version] = held;
  if (!version || new Set(held.map((each) => each?.token)).size > 1 || text.split(version.token).length > 2)
    return 'An upload holds neither its last file nor the one before';
  upload.held = version;
  upload.unsure = null;
  return null;
};

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

const incoming = ({ dir }: Folder): string[] => filesIn(join(dir, 'files', 'incoming'));

/** True if the server was killed during an upload. */
export const isReceiving = (folder: Folder): boolean => incoming(folder).length > 0;

interface Kept {
  key: string;
  id: string | null;
  sha256: string;
}

const keptIn = (folder: Folder): Kept[] =>
  reading(folder, (query) =>
    query('select key, id, sha256 from files left join documents on documents.n = files.doc').map((row) => ({
      key: String(row.key),
      id: row.id === null ? null : String(row.id),
      sha256: String(row.sha256),
    })),
  );

const shelfOf = ({ dir }: Folder, key: string): string => join(dir, 'files', key.slice(-2), key);

/** Null if the disk and the store agree. */
export const disagreement = (folder: Folder): string | null => {
  const kept = keptIn(folder);
  const orphan = kept.find(({ id }) => id === null);
  if (orphan) return `The file ${orphan.key} waits to be erased`;
  const named = new Set(kept.map(({ key }) => shelfOf(folder, key)));
  const stray = filesIn(join(folder.dir, 'files')).find((file) => !named.has(file));
  if (stray) return `${stray} belongs to no document`;
  const left = filesIn(join(folder.dir, 'reading'))[0];
  return left ? `${left} was left by reading` : null;
};

const checkOne = (folder: Folder, upload: Upload, kept: ReadonlyMap<string | null, Kept>): void => {
  const file = kept.get(upload.id);
  const held = file && digest(readFileSync(shelfOf(folder, file.key)));
  if (held === upload.held.sha256 && held === file?.sha256) return;
  throw new Error(
    `An original is not what was sent: ${JSON.stringify(upload)} — stored: ${JSON.stringify(file)}, ${held}`,
  );
};

/** Called when the server is idle. */
export const checkOriginals = async (folder: Folder, stories: readonly Story[]): Promise<void> => {
  let wrong: string | null = null;
  await until('files of nobody are erased', GONE_MS, async () => {
    wrong = disagreement(folder);
    return wrong === null;
  }).catch((cause: unknown) => {
    throw new Error(String(wrong), { cause });
  });
  const kept = new Map(keptIn(folder).map((file) => [file.id, file]));
  const living = stories.filter((story) => story.kind === 'upload' && story.deletion === 'no');
  for (const upload of living) checkOne(folder, upload as Upload, kept);
  if (kept.size !== living.length)
    throw new Error(`There are ${kept.size} originals of ${living.length} uploads`);
};

/** Reads the file through its link, which needs no key. */
export const checkLink = async (ask: Ask, upload: Upload): Promise<void> => {
  const { body } = await ask<{ url: string }>('GET', `/v3/documents/${upload.id}/file-url`);
  const answer = await fetch(body.url);
  const held = digest(new Uint8Array(await answer.arrayBuffer()));
  if (answer.status !== 200 || held !== upload.held.sha256)
    throw new Error(`The link of ${JSON.stringify(upload)} led to ${answer.status}, ${held}`);
};
