// Recognises the kind of a string that is added: one URL, HTML, Markdown or plain text.
import { unixLines } from '../../../lib/text/lines.ts';

/** `conversation` is never guessed here (the parser reads conversations); a caller can declare it. */
export type RecognisedKind = 'url' | 'html' | 'conversation' | 'markdown' | 'text';

const HEAD = 16_384;
const LONGEST_URL = 4_096;

export const recogniseKind = (content: string): RecognisedKind => {
  const start = firstVisible(content);
  if (isSingleUrl(content, start)) return 'url';
  const head = unixLines(content.slice(start, start + HEAD));
  const markdown = markdownScore(head) >= 2;
  if (looksLikeHtml(head, markdown)) return 'html';
  return markdown ? 'markdown' : 'text';
};

const firstVisible = (content: string): number => {
  const found = /[^\s\ufeff]/.exec(content);
  return found ? found.index : content.length;
};

const isSingleUrl = (content: string, start: number): boolean => {
  if (!/^https?:\/\//i.test(content.slice(start, start + 8))) return false;
  const rest = content.slice(start, start + LONGEST_URL + 1);
  const end = rest.search(/\s/);
  const url = end < 0 ? rest : rest.slice(0, end);
  if (url.length > LONGEST_URL || /["<>]/.test(url)) return false;
  return onlySpaceAfter(content, start + url.length) && URL.canParse(url);
};

const onlySpaceAfter = (content: string, from: number): boolean => {
  const visible = /\S/g;
  visible.lastIndex = from;
  return !visible.test(content);
};

const WHOLE_PAGE = /^<(?:!doctype\s+html|html|head|body)(?=[\s>])/i;
const FRAGMENT =
  /^<(?:a|abbr|address|article|aside|b|blockquote|br|center|code|dd|details|div|dl|dt|em|figure|font|footer|form|h[1-6]|header|hr|i|iframe|img|li|link|main|meta|nav|ol|p|pre|s|script|section|small|span|strong|style|sub|summary|sup|table|tbody|td|th|title|tr|tt|u|ul|var|video)(?=[\s/>])/i;

/**
 * Like the sniffing of browsers, fragments included. A Markdown page may open with a tag (`<div align="center">` in many
 * READMEs, `<details>`): if Markdown follows, it stays Markdown, whose inline HTML is readable enough,
 * while reading Markdown as HTML would run all its lines together.
 */
const looksLikeHtml = (head: string, markdown: boolean): boolean => {
  if (head[0] !== '<') return false;
  const body = afterXmlPrologue(head);
  if (WHOLE_PAGE.test(body)) return true;
  return FRAGMENT.test(body) && !markdown;
};

/** Skips comments and an XML declaration before the first tag. */
const afterXmlPrologue = (head: string): string => {
  let at = 0;
  for (;;) {
    const close = head.startsWith('<!--', at) ? '-->' : head.startsWith('<?xml', at) ? '?>' : undefined;
    if (close === undefined) return head.slice(at);
    const end = head.indexOf(close, at);
    if (end < 0) return '';
    at = end + close.length;
    while (at < head.length && head.charCodeAt(at) <= 32) at++;
  }
};

/** The score of a text as Markdown; 2 is enough. Line marks that other plain files also use count little. */
const markdownScore = (head: string): number => {
  if (!/[#`|*\]\->]/.test(head)) return 0;
  let score = /^---\n[\s\S]{0,4000}?\n---(?:\n|$)/.test(head) ? 2 : 0;
  if (/^ {0,3}(?:```|~~~)/m.test(head)) score += 2;
  if (/^ {0,3}\|? {0,20}:?-{2,40}:? {0,20}\|[ \-:|]{0,400}$/m.test(head)) score += 2;
  if (
    /^#{1,6} \S.{0,300}\n(?:[ \t]*\n|$)/.test(head) ||
    /\n[ \t]*\n#{1,6} \S.{0,300}(?:\n[ \t]*\n|$)/.test(head)
  )
    score += 2;
  else if (/^#{2,6} \S/m.test(head)) score += 1;
  if (/\]\((?:https?:\/\/|[/.#])[^)\s]{1,500}\)/.test(head)) score += 1;
  if (/(?:^|[\s(])\*\*[^\s*][^*\n]{0,200}\*\*/.test(head)) score += 1;
  if (/^ {0,3}(?:[-*+]|\d{1,3}[.)]) \S.{0,500}\n(?:\s{0,8}\n)? {0,8}(?:[-*+]|\d{1,3}[.)]) \S/m.test(head))
    score += 1;
  return score;
};
