// Quoted text in a mail: what its program repeats of the message that it answers. It is removed only where the thread has that
// message itself, so that nothing is lost of a message that was quoted from elsewhere.

/** "On Monday, Ann wrote:" in the languages of the common programs, on one line or two. */
const ATTRIBUTION =
  /^(?:On|Am|Le|El|Il|Em|Op|Den|W dniu|Dne|Am\s)\b[^\n]{3,200}(?:\n[^\n]{0,120})?(?:wrote|schrieb(?: [^\n:]{1,80})?|a écrit|escribió|ha scritto|escreveu|schreef(?: [^\n:]{1,80})?|skrev(?: [^\n:]{1,80})?|napisał(?:\(a\))?|napsal(?:\(a\))?)[ \t\u00a0]?:[ \t]*$/im;
const ORIGINAL =
  /^[ \t*_-]{0,10}-{2,} ?(?:Original Message|Original-?Nachricht|Ursprüngliche Nachricht|Message d'origine|Mensaje original|Messaggio originale|Forwarded message|Weitergeleitete Nachricht)[^\n]{0,40}$/im;
/** The lines that Outlook writes above what it quotes. */
const OUTLOOK =
  /^[*_ \t]{0,4}(?:From|Von|De|Da|Van|Från)[*_ \t\u00a0]{0,4}:[^\n]{1,300}\n(?:[^\n]{0,300}\n){0,2}?[*_ \t]{0,4}(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado|Inviato|Data|Verzonden|Skickat)[*_ \t\u00a0]{0,4}:/im;
const QUOTED_LINE = /^[ \t]{0,3}>/;

/** So many letters of a quotation have to occur in an earlier message. */
const PROOF = 60;
/** A shorter quotation is compared as a whole. */
const SHORTEST_PROOF = 8;

/** Letters and digits alone: line breaks, marks and emphasis differ between programs. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

/** The text behind the lines that introduce a quotation. */
const quotedBody = (quotation: string): string => {
  const lines = quotation.split('\n');
  const marked = lines.filter((line) => QUOTED_LINE.test(line));
  if (marked.length > 0) return marked.map((line) => line.replace(/^[ \t>]+/, '')).join('\n');
  const blank = lines.findIndex((line, at) => at > 0 && line.trim() === '');
  return blank < 0 ? '' : lines.slice(blank).join('\n');
};

const isInThread = (quotation: string, earlier: readonly string[]): boolean => {
  const letters = lettersOf(quotedBody(quotation));
  const proof = letters.slice(0, PROOF);
  return proof.length >= SHORTEST_PROOF && earlier.some((message) => message.includes(proof));
};

const quotationStart = (pattern: RegExp, text: string): number => pattern.exec(text)?.index ?? text.length;

/** The first line of the last block of marked lines, where nothing else introduces a quotation. */
const markedStart = (text: string): number => {
  const lines = text.split('\n');
  const first = lines.findIndex((line, at) => QUOTED_LINE.test(line) && isQuotedToEnd(lines.slice(at)));
  return first < 0 ? text.length : lines.slice(0, first).join('\n').length;
};

const isQuotedToEnd = (lines: readonly string[]): boolean =>
  lines.every((line) => QUOTED_LINE.test(line) || line.trim() === '');

/** `earlier`: the texts of the messages before it, by `comparableMail`. */
export const withoutQuotation = (text: string, earlier: readonly string[]): string => {
  const starts = [ATTRIBUTION, ORIGINAL, OUTLOOK].map((pattern) => quotationStart(pattern, text));
  const start = Math.min(...starts, markedStart(text));
  if (start >= text.length || !isInThread(text.slice(start), earlier)) return text.trim();
  // Answers between quoted lines are kept: they are words of this message.
  const answers = text
    .slice(start)
    .split('\n')
    .filter((line) => !QUOTED_LINE.test(line));
  const between = isInterleaved(text.slice(start)) ? answers.join('\n') : '';
  return `${text.slice(0, start).trimEnd()}\n${between}`.trim();
};

/** True: own lines stand between lines that are marked as quoted. */
const isInterleaved = (quotation: string): boolean => {
  const lines = quotation.split('\n');
  const first = lines.findIndex((line) => QUOTED_LINE.test(line));
  return first >= 0 && lines.slice(first).some((line) => line.trim() !== '' && !QUOTED_LINE.test(line));
};

export const comparableMail = (text: string): string => lettersOf(text);

/** The signature stands behind a line with two dashes and a blank. */
export const splitSignature = (text: string): { body: string; signature: string } => {
  const at = /^-- ?$/m.exec(text)?.index;
  if (at === undefined) return { body: text, signature: '' };
  return {
    body: text.slice(0, at).trimEnd(),
    signature: text
      .slice(at)
      .replace(/^-- ?\n?/, '')
      .trim(),
  };
};
