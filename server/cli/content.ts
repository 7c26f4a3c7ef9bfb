// What `memoir add` was given: a text, a file, a folder, standard input, or a URL.
import { statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { CommandFailure, misused } from './failure.ts';
import { type FolderFile, filesOf, type LocalFile, localFile, refusalOf } from './local-files.ts';

export type Given =
  | { kind: 'content'; content: string; what: string }
  | { kind: 'file'; file: LocalFile; what: string }
  | { kind: 'folder'; files: readonly FolderFile[]; what: string };

const isUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

/** One word with a slash or an ending in it was probably meant as a file. */
const looksLikePath = (text: string): boolean =>
  /^\S+$/.test(text) && (/^(\.{0,2}|~)[/\\]/.test(text) || /[^/\\.]\.[a-z0-9]{1,5}$/i.test(text));

/** Bytes that are no UTF-8 text are null. */
function decode(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function fromFolder(path: string): Given {
  const files = filesOf(path);
  if (files.length > 0) return { kind: 'folder', files, what: `the folder ${path}` };
  throw new CommandFailure(`There are no files in ${path}; hidden ones and links are left out.`);
}

function fromFile(path: string): Given {
  const file = localFile(path);
  const refusal = refusalOf(file);
  if (refusal !== null) throw new CommandFailure(refusal);
  return { kind: 'file', file, what: `the file ${path}` };
}

/** Null: there is no such file. */
function fromPath(path: string): Given | null {
  // A text that is longer than any path is no path, and asking for it is an error on some systems.
  if (path.length > 4096 || path.includes('\n') || path.includes('\0')) return null;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return found.isDirectory() ? fromFolder(path) : fromFile(path);
}

async function fromInput(): Promise<Given> {
  if (process.stdin.isTTY) throw misused('"-" reads standard input: pipe a text into this command.');
  const content = decode(await buffer(process.stdin));
  if (content === null)
    throw new CommandFailure('Standard input is no UTF-8 text. Save it as a file and add that.');
  return { kind: 'content', content, what: 'standard input' };
}

export async function readGiven(argument: string): Promise<Given> {
  if (argument === '-') return fromInput();
  if (isUrl(argument)) return { kind: 'content', content: argument, what: `the URL ${argument}` };
  const there = fromPath(argument);
  if (there !== null) return there;
  if (looksLikePath(argument)) {
    throw misused(
      `There is no file ${argument}. To add these characters as a text, pipe them into "memoir add -".`,
    );
  }
  return { kind: 'content', content: argument, what: 'the text' };
}
