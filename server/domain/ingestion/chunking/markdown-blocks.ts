// Visits the blocks of a Markdown text in order: paragraphs, code fences, tables, and headings with their path.
import { eachLine, isBlankLine, skipBlank, trimEnd } from '../../../lib/text/lines.ts';
import { cleanHeading } from '../content/title.ts';

export interface Block {
  readonly kind: 'text' | 'code' | 'table' | 'heading';
  readonly start: number;
  readonly end: number;
  /** The headings above, outermost first. */
  readonly path: readonly string[];
}

interface Heading {
  readonly depth: number;
  readonly title: string;
}

/** Calls `visit` for each block in order; blank lines between blocks belong to none. */
export const eachBlock = (text: string, visit: (block: Block) => void): void => {
  let headings: readonly Heading[] = [];
  let path: readonly string[] = [];
  let open: { kind: Block['kind']; start: number; end: number; fence: string } | null = null;
  const close = () => {
    if (open !== null) visit({ kind: open.kind, start: open.start, end: open.end, path });
    open = null;
  };
  const grow = (kind: Block['kind'], start: number, end: number, fence = '') => {
    if (open === null || open.kind !== kind) {
      close();
      open = { kind, start, end, fence };
    } else open.end = end;
  };
  eachLine(text, (start, end) => {
    const fence: string = open === null ? '' : open.fence;
    if (fence !== '') {
      grow('code', start, end, fence);
      if (closesFence(text, start, end, fence)) close();
    } else readLine(start, end);
    return undefined;
  });
  close();

  function readLine(start: number, end: number): void {
    if (isBlankLine(text, start, end)) {
      close();
      return;
    }
    const opening = fenceAt(text, start, end);
    const heading = opening === '' ? markdownHeadingAt(text, start, end) : null;
    if (opening !== '') {
      close();
      grow('code', start, end, opening);
    } else if (heading !== null) {
      close();
      headings = [...headings.filter((above) => above.depth < heading.depth), heading];
      path = headings.map((above) => above.title);
      visit({ kind: 'heading', start, end, path });
    } else grow(isRow(text, start, end) ? 'table' : 'text', start, end);
  }
};

const FENCE = /^ {0,8}(`{3,16}|~{3,16})/;

const fenceAt = (text: string, start: number, end: number): string => {
  const first = text.charCodeAt(start);
  if (first !== 0x60 && first !== 0x7e && first !== 0x20) return '';
  return FENCE.exec(text.slice(start, Math.min(end, start + 24)))?.[1] ?? '';
};

const closesFence = (text: string, start: number, end: number, fence: string): boolean => {
  const from = skipBlank(text, start, Math.min(end, start + 16));
  if (!text.startsWith(fence, from)) return false;
  let at = from;
  while (at < end && text[at] === fence[0]) at++;
  return isBlankLine(text, at, end);
};

/** A longer line is not a heading, whatever it begins with. */
const LONGEST_HEADING = 300;

const markdownHeadingAt = (text: string, start: number, end: number): Heading | null => {
  if (text.charCodeAt(start) !== 0x23 || end - start > LONGEST_HEADING) return null;
  const found = /^(#{1,6})[ \t]{1,8}(\S.*)$/.exec(text.slice(start, end));
  if (found?.[1] === undefined || found[2] === undefined) return null;
  return { depth: found[1].length, title: cleanHeading(found[2]) };
};

const isRow = (text: string, start: number, end: number): boolean => {
  const from = skipBlank(text, start, Math.min(end, start + 8));
  if (text.charCodeAt(from) !== 0x7c) return false;
  const last = trimEnd(text, from, end) - 1;
  return last > from && text.charCodeAt(last) === 0x7c;
};
