// The texts among the files of a repository: which ones are read, how they are shown, and what their titles are.
import { extname, posix } from 'node:path';
import { z } from 'zod';
import type { Grant, ReadItem, Seen, Skip, Taken } from '../port.ts';
import { nothingToStore } from '../taken.ts';
import type { Repository } from './api.ts';
import type { TreeEntry } from './tree.ts';

/** The published endings; metadata.extensions adds others. */
const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.md': 'text/markdown',
  '.mdx': 'text/markdown',
  '.markdown': 'text/markdown',
  '.txt': 'text/plain',
  '.rst': 'text/plain',
  '.adoc': 'text/plain',
  '.org': 'text/plain',
};
export const MOST_FILE_BYTES = 10 * 1024 * 1024;
const LFS_MARK = 'version https://git-lfs.github.com/spec/';
/** The first bytes of a file decide whether it is text; git decides by the same number. */
const HEAD_BYTES = 8_000;

export const GIT_FILE_HOW = z.object({
  repository: z.string(),
  name: z.string(),
  sha: z.string(),
  size: z.number(),
});

export const endingsOf = ({ metadata }: Grant): string[] => {
  const more = typeof metadata.extensions === 'string' ? metadata.extensions.split(/[\s,]+/) : [];
  const endings = more.filter((one) => one !== '').map((one) => `.${one.replace(/^\./, '').toLowerCase()}`);
  return [...new Set([...Object.keys(TEXT_TYPES), ...endings])].sort();
};

const LINK = '120000';

const gitFileSkip = (entry: TreeEntry): Skip | null => {
  if (entry.mode === LINK) return { code: 'link', message: `${entry.path} is a link to another file.` };
  if ((entry.size ?? 0) <= MOST_FILE_BYTES) return null;
  return { code: 'size', message: `${entry.path} is larger than 10 MiB, so it is not read.` };
};

export const seenGitFile = (repository: Repository, entry: TreeEntry): Seen => {
  const { id, full_name: name, default_branch: branch } = repository;
  const { path, sha, size = 0 } = entry;
  const skip = gitFileSkip(entry);
  const address = path.split('/').map(encodeURIComponent).join('/');
  return {
    id: `github:${id}:${path}`,
    kind: 'file',
    mark: sha,
    bytes: size,
    face: {
      title: hasHeadings(path) ? '' : posix.basename(path),
      url: `${repository.html_url}/blob/${branch.split('/').map(encodeURIComponent).join('/')}/${address}`,
      path: `/${name}/${path}`,
      ...(isPublishedText(path) ? { type: 'github_markdown' } : {}),
      metadata: { repository: name, branch, path },
    },
    how: { repository: String(id), name, sha, size },
    ...(skip === null ? {} : { skip }),
  };
};

const isPublishedText = (path: string): boolean => TEXT_TYPES[extname(path).toLowerCase()] !== undefined;

const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/;
const CODE_BLOCK = /^(```|~~~)[\s\S]*?^\1/gm;
const UNDERLINED = /^(\S.{0,300})\n(?:={3,}|-{3,}|~{3,}|\^{3,}|\*{3,}|"{3,})[ \t]*$/m;
const MARKDOWN_HEADINGS = [/^#{1,6}[ \t]+(\S.{0,300}?)[ \t#]*$/m, UNDERLINED];
const HEADINGS: Readonly<Record<string, readonly RegExp[]>> = {
  '.md': MARKDOWN_HEADINGS,
  '.mdx': MARKDOWN_HEADINGS,
  '.markdown': MARKDOWN_HEADINGS,
  '.rst': [UNDERLINED],
  '.adoc': [/^={1,6}[ \t]+(\S.{0,300})$/m],
  '.org': [/^(?:#\+title:|\*{1,6})[ \t]+(\S.{0,300})$/im],
};

const hasHeadings = (path: string): boolean => HEADINGS[extname(path).toLowerCase()] !== undefined;

/** Null: the file has no heading. */
const headingOf = (path: string, text: string): string | null => {
  const start = text
    .slice(0, 20_000)
    .replaceAll('\r\n', '\n')
    .replace(FRONT_MATTER, '')
    .replace(CODE_BLOCK, '');
  const found = (HEADINGS[extname(path).toLowerCase()] ?? []).flatMap((heading) => heading.exec(start) ?? []);
  return found[1]?.trim() || null;
};

export const takenText = ({ face }: ReadItem, text: string): Taken => {
  const path = String(face.metadata.path ?? face.title);
  if (text.startsWith(LFS_MARK))
    return nothingToStore('lfs', `${path} is kept in Git LFS, whose files are not read.`);
  const mediaType = TEXT_TYPES[extname(path).toLowerCase()];
  if (mediaType === undefined) return takenFile(path, Buffer.from(text));
  const title = headingOf(path, text) ?? posix.basename(path);
  return { content: 'text', text, mediaType, face: { title } };
};

/** Other files are read by their bytes, as if they had been uploaded. */
const takenFile = (path: string, content: Buffer): Taken => ({
  content: 'file',
  name: posix.basename(path),
  async *bytes() {
    yield content;
  },
});

export const takenBytes = (item: ReadItem, content: Buffer): Taken => {
  const path = String(item.face.metadata.path ?? item.face.title);
  if (!content.subarray(0, HEAD_BYTES).includes(0)) return takenText(item, content.toString('utf8'));
  if (isPublishedText(path)) return nothingToStore('binary', `${path} holds no text.`);
  return takenFile(path, content);
};
