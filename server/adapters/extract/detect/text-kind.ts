// Which kind of text a text is, by how it begins. The name it came under decides only between kinds of plain text.
import type { TextKind } from '../port.ts';

const HEAD = 16_384;
/** More than this is not parsed only to learn that it is JSON. */
const LONGEST_JSON = 1_000_000;

const WHOLE_PAGE = /^<(?:!doctype\s{1,20}html|html|head|body)(?=[\s>])/i;
const FRAGMENT =
  /^<(?:a|abbr|address|article|aside|b|blockquote|br|center|code|dd|details|div|dl|dt|em|figure|font|footer|form|h[1-6]|header|hr|i|iframe|img|li|link|main|meta|nav|ol|p|pre|s|script|section|small|span|strong|style|sub|summary|sup|table|tbody|td|th|title|tr|tt|u|ul|var|video)(?=[\s/>])/i;
const CAPTIONS = /^(?:WEBVTT(?:[ \t\n]|$)|\d{1,6}[ \t]{0,8}\n\d{1,2}:\d{2}:\d{2}[,.]\d{1,3} {1,3}--> )/;
const FLAT_OPEN_DOCUMENT =
  /<office:document\s[^>]{0,8000}office:mimetype="application\/vnd\.oasis\.opendocument\.(text|presentation|spreadsheet)"/;

export type FlatKind = 'odt' | 'odp' | 'ods';
const FLAT_KINDS: Readonly<Record<string, FlatKind>> = {
  text: 'odt',
  presentation: 'odp',
  spreadsheet: 'ods',
};

/** `named`: what its name makes it, which holds among kinds of plain text. */
export function textKind(text: string, named: TextKind | null): TextKind | FlatKind {
  const head = text
    .slice(0, HEAD)
    .replaceAll('\r\n', '\n')
    .replace(/^[\s\ufeff]+/, '');
  const body = afterPrologue(head);
  if (WHOLE_PAGE.test(body)) return 'html';
  const flat = FLAT_OPEN_DOCUMENT.exec(body)?.[1];
  if (flat !== undefined) return FLAT_KINDS[flat] ?? 'code';
  if (CAPTIONS.test(head)) return 'subtitles';
  const plain =
    named !== null && named !== 'html' && named !== 'text' && named !== 'subtitles' ? named : null;
  // A page of Markdown may open with a tag, and so does much code.
  if (FRAGMENT.test(body)) return plain ?? 'html';
  if (head.startsWith('<?xml')) return plain ?? 'code';
  if (plain !== null && plain !== 'json') return plain;
  return isJson(text, head) ? 'json' : 'text';
}

/** Past comments, an XML declaration and its document type, which may stand before the first tag. */
function afterPrologue(head: string): string {
  let at = 0;
  for (;;) {
    const close = head.startsWith('<!--', at) ? '-->' : head.startsWith('<?', at) ? '?>' : undefined;
    if (close === undefined) return head.slice(at);
    const end = head.indexOf(close, at);
    if (end < 0) return '';
    at = end + close.length;
    while (at < head.length && head.charCodeAt(at) <= 32) at++;
  }
}

function isJson(text: string, head: string): boolean {
  if (!/^[[{]/.test(head)) return false;
  if (text.length <= LONGEST_JSON && parses(text)) return true;
  const lines = head.split('\n', 4).filter((line) => line.trim() !== '');
  const whole = head.length < HEAD ? lines : lines.slice(0, -1);
  if (whole.length > 0 && whole.every(parses)) return true;
  return (
    text.length > LONGEST_JSON &&
    /^[[{]\s{0,100}["[{\d\]}]/.test(head) &&
    /[\]}]\s{0,100}$/.test(text.slice(-200))
  );
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
