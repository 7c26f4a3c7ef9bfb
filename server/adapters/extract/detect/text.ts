// Detection of the kind of a text by how it begins. The name decides only between kinds of plain text.

import type { ExtractedKind, TextKind } from '../content-kinds.generated.ts';
import type { TextStart } from '../contract.ts';
import { declarationOf, declaredKinds } from '../extractor-list.ts';

const HEAD = 16_384;

/** `named`: the kind that the name stands for. */
export const textKind = (text: string, named: TextKind | null): ExtractedKind => {
  const start = startOf(text);
  const certain = declaredKinds.find(([, { detect }]) => detect.certainText?.(start));
  if (certain !== undefined) return certain[0];
  if (named !== null && nameHolds(named, start)) return named;
  return declaredKinds.find(([, { detect }]) => detect.likelyText?.(start))?.[0] ?? 'text';
};

/** A kind with a sure sign in its text (HTML, subtitles) needs that sign; plain text is the fallback anyway. */
const nameHolds = (named: TextKind, start: TextStart): boolean => {
  const { certainText, confirmsName } = declarationOf(named).detect;
  if (named === 'text' || certainText !== undefined) return false;
  return confirmsName?.(start) ?? true;
};

const startOf = (text: string): TextStart => {
  const head = text
    .slice(0, HEAD)
    .replaceAll('\r\n', '\n')
    .replace(/^[\s\ufeff]+/, '');
  return { text, head, body: afterPrologue(head) };
};

/** The text behind comments, an XML declaration and processing instructions. */
const afterPrologue = (head: string): string => {
  let at = 0;
  for (;;) {
    const close = head.startsWith('<!--', at) ? '-->' : head.startsWith('<?', at) ? '?>' : undefined;
    if (close === undefined) return head.slice(at);
    const end = head.indexOf(close, at);
    if (end < 0) return '';
    at = end + close.length;
    while (at < head.length && head.charCodeAt(at) <= 32) at++;
  }
};
