// Lines of code, logs, stack traces and configuration that stand in a text without a fence: they state nothing about anybody.
// A line whose form no prose has marks them. What stands beside it belongs to it where it is indented or looks like code itself.

const DECLARATION =
  /^\s*(?:(?:export|default|public|private|protected|static|async|abstract|final|override|pub) )*(?:(?:def|fn|func|function) ?[\w.]*\(|(?:class|interface|struct|enum|impl|trait|namespace) \w+[^.?!]*[{(:]\s*$|(?:const|let|var|val) [\w{[][^.?!]*?=|(?:static )?(?:void|int|float|double|char|bool(?:ean)?|string|String|long) \w+(?:\(| =|;|\[))/;
const IMPORT =
  /^\s*(?:import (?:[\w.*]+;?$|[\w{},* ]+ from ['"])|from [\w.]+ import |#include [<"]|using [\w.]+;$|package [\w.]+;?$|require ['"(])/;
const BLOCK = /^\s*(?:[)\]}]+[;,]?$|\} ?(?:else|catch|finally|while)\b)|[^\s{] ?\{$|\) ?=> ?\{?$|^\s*[[{]$/;
const STATEMENT =
  /^\s*[\w.$[\]'">-]+ ?(?:[-+*/|&:]?=(?!=) ?\S.*|\+\+|--);$|^\s*[\w.$\]>-]+\(.*\);$|^\s*(?:return|throw|break|continue)\b.*;$/;
const CONTROL =
  /^\s*(?:for|while|if|else if|switch|catch) ?\(.*\)|^\s*(?:el)?if .*(?:[=!<>]=|[<>%]|\(\)| not | in ).*:$|^\s*(?:else|try|finally):$|^\s*(?:except|with|for|while) [^.?!]*[\w)\]]:$/;
const MARKUP =
  /^\s*(?:<!(?:DOCTYPE|--)|<\?\w|<\/?(?:html|head|body|div|span|p|h[1-6]|[uo]l|li|a|table|t[rdh]|script|style|link|meta|img|input|button|form|label|section|nav|header|footer|main|svg|option|select)\b[^>]*>|<[\w:.-]+(?: [\w:.-]+=["'{]))/i;
const DATA =
  /^\s*["'][\w.$@/ -]+["']\s*:\s*(?:["'[{\d-]|true|false|null)|^(?:export )?[A-Z][A-Z\d]*(?:_[A-Z\d]+)*=\S*$/;
const QUERY =
  /^\s*(?:SELECT\b.*(?:\bFROM\b|,$|\*)|FROM \w+(?:;?$| (?:WHERE|AS|JOIN|LEFT|ORDER|GROUP)\b)|(?:INSERT INTO|DELETE FROM|CREATE TABLE|ALTER TABLE|UPDATE) \w+|(?:WHERE|AND|OR|ON|SET) \w[\w.]* ?[=<>!]|(?:LEFT|RIGHT|INNER) JOIN |(?:ORDER|GROUP) BY )/;
const LOG =
  /^\W?(?:\d{4}-\d\d-\d\d|\d\d?:\d\d(?::\d\d)?|\w{3} +\d+ \d\d:\d\d)\S*.{0,60}?\b(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL|SEVERE)\b|^\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\]? [\w./:-]+[:.]|^\d+(?:\.\d+){3} - .*" \d{3} /;
const TRACE =
  /^\s*(?:Traceback \(|File "[^"]+", line \d|at [\w$<>/]+\.[\w$.<>/]+ ?\(|at \S+:\d+|\.{3} \d+ more$|Caused by: \w+\.[\w.]+|[\w.]*(?:Error|Exception)\b(?: \[\w+\])?: |panicked at |error\[\w+\]|error TS\d|npm (?:ERR|WARN)|fatal: )/;
const DIFF = /^(?:@@ .* @@|(?:---|\+\+\+) [\w./]+$|diff --git )/;
/** "$ npm test", ">>> total(3)", "anna@host:~/app$ ls". */
const PROMPT = /^\s*(?:\$ [a-z./]|>>> \S|[\w.-]+@[\w.-]+:\S*[$#] )/;

const FORMS: readonly RegExp[] = [
  DECLARATION,
  IMPORT,
  BLOCK,
  STATEMENT,
  CONTROL,
  MARKUP,
  DATA,
  QUERY,
  LOG,
  TRACE,
  DIFF,
  PROMPT,
];

/** Code beside code: "x = total(3)", "return 1", "# the owner", "print(x)". Alone, each could be prose. */
const LIKE_CODE =
  /^\s*(?:(?:[\w.]+\[.*\]|[\w.]+(?:, ?[\w.]+)*) ?[-+*/|&:]?= ?\S|(?:return|yield|raise|throw|await|assert|print|echo|const|let|var)\b|(?:pass|break|continue|end)$|(?:\/\/|#|--|\/?\*|;)|@\w|[-+](?=[^\s\d])|[\w.]+\(.*\)|[\w.]+!\(|["'`]{3}|<\/?[\w.:-]+>|\.\w+\(|.*[;{([]$)/;
const INDENTED = /^(?: {2,}|\t)\s*\S/;
/** Its writer speaks again: "My laptop is a ThinkPad". */
const SPOKEN = /\b(?:I|I['’]m|my|My|we|We|our|Our|me)\b/;

/** "  port: 8080" under "server:": keys and values of one word each. */
const KEY = /^\s*(?:- )?[a-z][\w.-]*:\s*$/;
const NESTED_KEY = /^\s+(?:- )?[a-z][\w.-]*:\s*$/;
const SCALAR = /: ?(?:[\d"'[]|true$|false$)/;
const PAIR = /^\s+(?:- )?[a-z][\w.-]*: ?(?:"[^"]*"|'[^']*'|[^\s"']+|\[[^\]]*\])$|^\s+- [^\s:]+$/;

const isBlank = (line: string): boolean => line.trim() === '';

/** A key alone with more than one indented pair under it, one of them a number, a list or a quotation. */
const markNested = (lines: readonly string[], isCode: boolean[]): void => {
  let at = 0;
  while (at < lines.length) {
    const start = at++;
    if (!KEY.test(lines[start] ?? '')) continue;
    while (PAIR.test(lines[at] ?? '') || NESTED_KEY.test(lines[at] ?? '')) at++;
    const pairs = lines.slice(start + 1, at).filter((line) => PAIR.test(line));
    const isBelow = isCode[start - 1] === true;
    if (isBelow ? pairs.length > 0 : pairs.length > 1 && pairs.some((line) => SCALAR.test(line)))
      isCode.fill(true, start, at);
  }
};

/** The output of a command stands under it, as far as the next empty line. */
const markPrinted = (lines: readonly string[], isCode: boolean[]): void => {
  let isPrinted = false;
  lines.forEach((line, at) => {
    if (isBlank(line) || SPOKEN.test(line)) isPrinted = false;
    if (PROMPT.test(line)) isPrinted = true;
    if (isPrinted) isCode[at] = true;
  });
};

/** Indented lines and those that look like code, next to a line of code in the direction. */
const markBeside = (lines: readonly string[], isCode: boolean[], order: readonly number[]): void => {
  let isBeside = false;
  for (const at of order) {
    const line = lines[at] ?? '';
    if (isBlank(line)) continue;
    if (isBeside && (INDENTED.test(line) || LIKE_CODE.test(line))) isCode[at] = true;
    isBeside = isCode[at] === true;
  }
};

/** The text with an empty line in the place of each line of code. */
export const withoutCodeLines = (text: string): string => {
  if (!text.includes('\n')) return text;
  const lines = text.split(/\r\n|[\r\n]/);
  const isCode = lines.map((line) => FORMS.some((form) => form.test(line)));
  markNested(lines, isCode);
  markPrinted(lines, isCode);
  if (!isCode.includes(true)) return text;
  const order = [...lines.keys()];
  markBeside(lines, isCode, order);
  markBeside(lines, isCode, order.toReversed());
  return lines.map((line, at) => (isCode[at] === true ? '' : line)).join('\n');
};
