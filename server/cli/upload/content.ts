// Reads the argument of `memoir add`: a text, a file, a folder, standard input, or a URL.
import { statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import {
  type FolderFile,
  fileRefusal,
  folderFiles,
  type LocalFile,
  localFile,
} from '../connection/local-files.ts';
import { CommandFailure, misused } from '../failure.ts';

export type AddInput =
  | { kind: 'content'; content: string; what: string }
  | { kind: 'file'; file: LocalFile; what: string }
  | { kind: 'folder'; files: readonly FolderFile[]; what: string };

const isUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

/** One word with a slash or a file extension is probably meant as a file. */
const looksLikePath = (text: string): boolean =>
  /^\S+$/.test(text) && (/^(\.{0,2}|~)[/\\]/.test(text) || /[^/\\.]\.[a-z0-9]{1,5}$/i.test(text));

/** Null: the bytes are not UTF-8 text. */
const decodeUtf8 = (bytes: Buffer): string | null => {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
};

const fromFolder = (path: string): AddInput => {
  const files = folderFiles(path);
  if (files.length > 0) return { kind: 'folder', files, what: `the folder ${path}` };
  throw new CommandFailure(
    `The folder ${path} has no files to add. Hidden files, links and node_modules are skipped.`,
  );
};

const fromFile = (path: string): AddInput => {
  const file = localFile(path);
  const refusal = fileRefusal(file);
  if (refusal !== null) throw new CommandFailure(refusal);
  return { kind: 'file', file, what: `the file ${path}` };
};

/** Null: there is no such file. */
const fromPath = (path: string): AddInput | null => {
  // Looking up a path that is too long is an error on some systems.
  if (path.length > 4096 || path.includes('\n') || path.includes('\0')) return null;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return found.isDirectory() ? fromFolder(path) : fromFile(path);
};

const fromInput = async (): Promise<AddInput> => {
  if (process.stdin.isTTY) throw misused('"-" reads standard input: pipe a text into this command.');
  const content = decodeUtf8(await buffer(process.stdin));
  if (content === null)
    throw new CommandFailure('Standard input is not UTF-8 text. Save it as a file and add the file.');
  return { kind: 'content', content, what: 'standard input' };
};

export const readAddArgument = async (argument: string): Promise<AddInput> => {
  if (argument === '-') return fromInput();
  if (isUrl(argument)) return { kind: 'content', content: argument, what: `the URL ${argument}` };
  const input = fromPath(argument);
  if (input !== null) return input;
  if (looksLikePath(argument)) {
    throw misused(
      `The file ${argument} does not exist. To add these characters as text, pipe them into "memoir add -".`,
    );
  }
  return { kind: 'content', content: argument, what: 'the text' };
};
