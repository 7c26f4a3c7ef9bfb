// What `memoir add` was given: a text, a text file, standard input, or a URL.
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { maxContentBytes } from '../../tools/shared/content.ts';
import { CommandFailure, misused } from './failure.ts';

export interface Given {
  content: string;
  /** A file is known by its name unless a title is given. */
  title?: string;
  /** For the answer: `the file notes.md`. */
  what: string;
}

const TAKEN = 'Memoir takes text, Markdown, HTML and conversations';
const LATER = 'PDF, Office documents, images, audio, video and folders come in a later version';

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

function readTextFile(path: string, size: number): Given {
  if (size > maxContentBytes) {
    throw new CommandFailure(`${path} is larger than 10 MiB, the most that one document holds. Split it.`);
  }
  const content = decode(readFileSync(path));
  if (content === null) {
    throw new CommandFailure(`${path} is no UTF-8 text. ${TAKEN}; ${LATER}.`);
  }
  return { content, title: basename(path), what: `the file ${path}` };
}

/** Null: there is no such file. */
function fromFile(path: string): Given | null {
  // A text that is longer than any path is no path, and asking for it is an error on some systems.
  if (path.length > 4096 || path.includes('\n') || path.includes('\0')) return null;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  if (found.isDirectory()) {
    throw new CommandFailure(`${path} is a folder. Add its text files one by one; ${LATER}.`);
  }
  return readTextFile(path, found.size);
}

async function fromInput(): Promise<Given> {
  if (process.stdin.isTTY) throw misused('"-" reads standard input: pipe a text into this command.');
  const content = decode(await buffer(process.stdin));
  if (content === null) throw new CommandFailure(`Standard input is no UTF-8 text. ${TAKEN}; ${LATER}.`);
  return { content, what: 'standard input' };
}

export async function readGiven(argument: string): Promise<Given> {
  if (argument === '-') return fromInput();
  if (isUrl(argument)) return { content: argument, what: `the URL ${argument}` };
  const file = fromFile(argument);
  if (file !== null) return file;
  if (looksLikePath(argument)) {
    throw misused(
      `There is no file ${argument}. To add these characters as a text, pipe them into "memoir add -".`,
    );
  }
  return { content: argument, what: 'the text' };
}
