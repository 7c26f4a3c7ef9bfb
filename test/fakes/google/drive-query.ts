// The search words of Google Drive, as far as a client of it needs them: terms joined by `and`, alternatives in parentheses.
import type { drive_v3 } from '@googleapis/drive';

type File = drive_v3.Schema$File;

const TERMS: readonly (readonly [pattern: RegExp, test: (file: File, value: string) => boolean])[] = [
  [/^'(.*)' in parents$/, (file, id) => (file.parents ?? []).includes(id)],
  [/^trashed = (true|false)$/, (file, value) => (file.trashed ?? false) === (value === 'true')],
  [/^mimeType = '(.*)'$/, (file, type) => file.mimeType === type],
  [/^name contains '(.*)'$/, (file, words) => (file.name ?? '').toLowerCase().includes(words.toLowerCase())],
  [/^shortcutDetails\.targetId = '(.*)'$/, (file, id) => file.shortcutDetails?.targetId === id],
  [
    /^sharedWithMe = (true|false)$/,
    (file, value) => (file.sharedWithMeTime !== undefined) === (value === 'true'),
  ],
];

const withoutEscapes = (value: string): string => value.replace(/\\(['\\])/g, '$1');

const termTest = (term: string): ((file: File) => boolean) => {
  for (const [pattern, test] of TERMS) {
    const value = pattern.exec(term.trim())?.[1];
    if (value !== undefined) return (file) => test(file, withoutEscapes(value));
  }
  throw new Error(`Unknown term of a query: ${term}`);
};

/** Throws on a term that it does not know. */
export const queryTest = (query: string): ((file: File) => boolean) => {
  const groups = query.split(' and ').map((group) => {
    const tests = group
      .trim()
      .replace(/^\((.*)\)$/, '$1')
      .split(' or ')
      .map(termTest);
    return (file: File) => tests.some((test) => test(file));
  });
  return (file) => groups.every((group) => group(file));
};
