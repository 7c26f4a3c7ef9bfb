// Reads an RTF in one linear pass over groups and control words. No maintained library reads tables and headings.
import type { Extract, Sink } from '../contract.ts';
import { failure } from '../failures.ts';
import { cellText, createFlow } from './flow.ts';
import { meaningfulTitle } from './properties.ts';

/** The sink gets the text after each step of this many bytes. */
const STEP = 256 * 1024;
const DEEPEST = 1_000;

export const readRtf: Extract = async (content, sink) => {
  const reader = createRtfReader((await content.bytes()).toString('latin1'));
  while (readStep(reader)) if (reader.begun) await drainText(reader, sink);
  flushBytes(reader);
  endParagraph(reader);
  endTable(reader);
  for (const note of reader.notes) reader.flow.paragraph(note);
  await drainText(reader, sink);
  await reader.flow.end(sink);
  if (reader.groups.length > 0) sink.note('The file is incomplete; the text up to its end was read.');
};

/** The destination of the text of a group. */
type Target = 'body' | 'note' | 'title' | 'author' | 'fonts' | 'styles' | 'skip';

/** The state of a group; `style` and `level` are those of a style definition. */
const ROOT = {
  target: 'body' as Target,
  text: '',
  fallbacks: 1,
  font: 0,
  hidden: false,
  style: -1,
  level: 0,
};
type Group = typeof ROOT;

const PLAIN = { style: 0, level: 0, list: false, depth: 0, inTable: false };
type RtfReader = ReturnType<typeof createRtfReader>;

/** `source`: one character for each byte. */
const createRtfReader = (source: string) => ({
  source,
  at: Math.max(0, source.indexOf('{')),
  flow: createFlow(),
  groups: [] as Group[],
  /** The code page of each font, the heading level of each style. */
  fonts: new Map<number, number>(),
  headings: new Map<number, number>(),
  facts: { title: '', author: '' },
  notes: [] as string[],
  /** Bytes that are not decoded yet. */
  pending: '',
  /** The number of fallback characters of a Unicode character that are still to be left out. */
  skipping: 0,
  /** The group begins with `\*`: an unknown destination is skipped. */
  optional: false,
  codePage: 1252,
  defaultFont: 0,
  paragraph: { ...PLAIN, text: '' },
  rows: [] as string[][],
  row: [] as string[],
  cell: '',
  begun: false,
  headSent: false,
});

const drainText = async (reader: RtfReader, sink: Sink): Promise<void> => {
  if (!reader.headSent) {
    const { title, author } = reader.facts;
    sink.begin({ form: 'markdown', title: meaningfulTitle(title), metadata: { author } });
    reader.headSent = true;
  }
  await reader.flow.drain(sink);
};

const TEXT = /[^{}\\\r\n\0]+/y;

/** Reads some bytes; false at the end of the document. */
const readStep = (reader: RtfReader): boolean => {
  const { source } = reader;
  const end = Math.min(reader.at + STEP, source.length);
  while (reader.at < end) {
    TEXT.lastIndex = reader.at;
    const run = TEXT.exec(source)?.[0] ?? '';
    reader.at += run.length;
    addBytes(reader, run);
    const character = source.charAt(reader.at++);
    if (character === '{') openGroup(reader);
    else if (character === '}') {
      closeGroup(reader);
      if (reader.groups.length === 0) return false;
    } else if (character === '\\') readControl(reader);
  }
  return reader.at < source.length;
};

const currentGroup = ({ groups }: RtfReader): Group => groups.at(-1) ?? { ...ROOT };
const openGroup = (reader: RtfReader): void => {
  flushBytes(reader);
  if (reader.groups.length >= DEEPEST) throw failure('too_deep');
  reader.skipping = 0;
  reader.optional = false;
  reader.groups.push({ ...currentGroup(reader), text: '', style: -1, level: 0 });
};

const closeGroup = (reader: RtfReader): void => {
  flushBytes(reader);
  reader.skipping = 0;
  reader.optional = false;
  const group = reader.groups.pop();
  const outer = reader.groups.at(-1);
  if (group === undefined) return;
  if (group.target === 'styles') keepHeading(reader, group);
  else if (group.target === 'note' && outer !== undefined) {
    if (outer.target === 'note') outer.text += group.text;
    else keepNote(reader, group.text);
  }
};

const keepHeading = ({ headings }: RtfReader, { style, level, text }: Group): void => {
  const named = /^\s*title\s*;/i.test(text) ? 1 : Number(/^\s*heading (\d)/i.exec(text)?.[1] ?? 0);
  if (style >= 0 && (level > 0 || named > 0)) headings.set(style, level || named);
};

const keepNote = (reader: RtfReader, text: string): void => {
  if (text.trim() === '') return;
  const number = reader.notes.length + 1;
  reader.notes.push(`[^${number}]: ${text.trim()}`);
  addText(reader, `[^${number}]`);
};

const WORD = /([a-z]{1,32})(-?\d{1,10})? ?/iy;

/** A control word with its number, or a control symbol. */
const readControl = (reader: RtfReader): void => {
  WORD.lastIndex = reader.at;
  const [all = '', word = '', number] = WORD.exec(reader.source) ?? [];
  reader.at += Math.max(1, all.length);
  if (word === '') readSymbol(reader, reader.source[reader.at - 1] ?? '');
  else if (word === 'bin') reader.at += Math.max(0, Number(number ?? 0));
  else readWord(reader, word, number === undefined ? undefined : Number(number));
};

const SYMBOLS: Readonly<Record<string, string>> = { '~': '\u00a0', _: '-', '\\': '\\', '{': '{', '}': '}' };

const readSymbol = (reader: RtfReader, symbol: string): void => {
  if (symbol === "'") {
    const byte = Number.parseInt(reader.source.slice(reader.at, reader.at + 2), 16);
    reader.at += 2;
    if (!Number.isNaN(byte)) addBytes(reader, String.fromCharCode(byte));
  } else if (symbol === '*') reader.optional = true;
  else if (symbol === '\n' || symbol === '\r') readWord(reader, 'par', undefined);
  else if (SYMBOLS[symbol] !== undefined) addCharacter(reader, SYMBOLS[symbol]);
};

/** "a:b|c:d" as a map. */
const wordPairs = <T extends string>(text: string): ReadonlyMap<string, T> =>
  new Map(text.split('|').map((pair) => pair.split(':') as [string, T]));

/** Groups whose text is not the text of the document. */
const TARGETS = wordPairs<Target>('fonttbl:fonts|stylesheet:styles|title:title|author:author|footnote:note');
const SKIPPED = new Set(
  'colortbl info pict objdata header headerl headerr headerf footer footerl footerr footerf fldinst listtext pntext nonesttables filetbl revtbl rsidtbl generator listtable listoverridetable themedata colorschememapping latentstyles datastore xmlnstbl bkmkstart bkmkend annotation atnid atnauthor atrfstart atrfend tc xe'.split(
    ' ',
  ),
);
const CHARACTERS = wordPairs(
  'emdash:—|endash:–|lquote:‘|rquote:’|ldblquote:“|rdblquote:”|bullet:•|tab:\t|line:\n|emspace: |enspace: |nestcell: ; |nestrow: / ',
);

const readWord = (reader: RtfReader, word: string, value: number | undefined): void => {
  flushBytes(reader);
  const { optional } = reader;
  reader.optional = false;
  if (word === 'u') {
    addUnicode(reader, value ?? 0);
    return;
  }
  if (withoutFallbacks(reader, ' ') === '') return;
  const skipped = SKIPPED.has(word) || (optional && !TARGETS.has(word));
  const target = skipped ? 'skip' : TARGETS.get(word);
  if (target !== undefined) enterDestination(reader, word, target);
  else if (CHARACTERS.has(word)) addText(reader, CHARACTERS.get(word) ?? '');
  else if (Object.hasOwn(WORDS, word)) WORDS[word]?.(reader, value);
};

const enterDestination = (reader: RtfReader, word: string, target: Target): void => {
  const group = reader.groups.pop();
  if (group === undefined) return;
  // The title and the author stand inside the skipped group of the properties.
  const nested = group.target === 'skip' && target !== 'title' && target !== 'author';
  if (group.target === 'body' && /^(?:listtext|pntext)$/.test(word)) reader.paragraph.list = true;
  reader.groups.push({ ...group, target: nested ? 'skip' : target });
};

const setGroup = (reader: RtfReader, change: Partial<Group>): void => {
  Object.assign(currentGroup(reader), change);
};

const setParagraph = (reader: RtfReader, change: Partial<typeof PLAIN>): void => {
  Object.assign(reader.paragraph, change);
};

type ApplyWord = (reader: RtfReader, value: number | undefined) => void;

const inBody =
  (apply: ApplyWord): ApplyWord =>
  (reader, value) => {
    if (currentGroup(reader).target === 'body') apply(reader, value);
  };

const WORDS: Readonly<Record<string, ApplyWord>> = {
  ansicpg: (reader, value = 1252) => {
    reader.codePage = value;
  },
  deff: (reader, value = 0) => {
    reader.defaultFont = value;
    setGroup(reader, { font: value });
  },
  f: (reader, value = 0) => setGroup(reader, { font: value }),
  plain: (reader) => setGroup(reader, { font: reader.defaultFont, hidden: false }),
  fcharset: (reader, value = 0) => keepFont(reader, codePageOfCharset(value)),
  uc: (reader, value = 1) => setGroup(reader, { fallbacks: Math.max(0, Math.min(value, 16)) }),
  v: (reader, value) => setGroup(reader, { hidden: value !== 0 }),
  deleted: (reader, value) => setGroup(reader, { hidden: value !== 0 }),
  s: (reader, value = 0) => {
    const group = currentGroup(reader);
    if (group.target === 'styles') group.style = value;
    else if (group.target === 'body') reader.paragraph.style = value;
  },
  outlinelevel: (reader, value = 9) => {
    const group = currentGroup(reader);
    const level = value >= 0 && value < 9 ? value + 1 : 0;
    if (group.target === 'styles') group.level = level;
    else if (group.target === 'body') reader.paragraph.level = level;
  },
  pard: inBody((reader) => setParagraph(reader, PLAIN)),
  ls: inBody((reader, value = 0) => setParagraph(reader, { list: value > 0 })),
  ilvl: inBody((reader, value = 0) => setParagraph(reader, { depth: value })),
  intbl: inBody((reader) => setParagraph(reader, { inTable: true })),
  par: (reader) => {
    const group = currentGroup(reader);
    if (group.target === 'body') endParagraph(reader);
    else if (group.target === 'note') group.text += '\n';
  },
  sect: inBody((reader) => endParagraph(reader)),
  page: inBody((reader) => endParagraph(reader)),
  cell: inBody((reader) => {
    reader.row.push(cellText(reader.cell + reader.paragraph.text));
    reader.cell = '';
    reader.paragraph.text = '';
  }),
  row: inBody((reader) => {
    if (reader.row.length > 0) reader.rows.push(reader.row);
    reader.row = [];
  }),
};

const keepFont = (reader: RtfReader, codePage: number | undefined): void => {
  const group = currentGroup(reader);
  if (group.target === 'fonts' && codePage !== undefined) reader.fonts.set(group.font, codePage);
};

const endParagraph = (reader: RtfReader): void => {
  const { paragraph, headings, flow } = reader;
  const text = paragraph.text.trimEnd();
  reader.paragraph = { ...paragraph, text: '' };
  if (paragraph.inTable) {
    reader.cell += `${text}\n`;
    return;
  }
  endTable(reader);
  if (text.trim() === '') return;
  reader.begun = true;
  const level = paragraph.level || (headings.get(paragraph.style) ?? 0);
  if (level > 0) flow.heading(level, text);
  else if (paragraph.list) flow.item(paragraph.depth, text.trim());
  else flow.paragraph(text);
};

const endTable = (reader: RtfReader): void => {
  if (reader.row.length > 0) reader.rows.push(reader.row);
  reader.row = [];
  if (reader.rows.length === 0) return;
  reader.begun = true;
  reader.flow.table(reader.rows.splice(0));
};

/** Skips the characters that only stand in for a Unicode character; returns the others. */
const withoutFallbacks = (reader: RtfReader, text: string): string => {
  const skipped = Math.min(reader.skipping, text.length);
  reader.skipping -= skipped;
  return text.slice(skipped);
};

const addBytes = (reader: RtfReader, bytes: string): void => {
  if (currentGroup(reader).target !== 'skip') reader.pending += withoutFallbacks(reader, bytes);
};

const addCharacter = (reader: RtfReader, character: string): void => {
  flushBytes(reader);
  addText(reader, withoutFallbacks(reader, character));
};

/** The number is signed; half of a surrogate pair finds its other half in the next word. */
const addUnicode = (reader: RtfReader, value: number): void => {
  addText(reader, String.fromCharCode(value & 0xffff));
  reader.skipping = currentGroup(reader).fallbacks;
};

const addText = (reader: RtfReader, text: string): void => {
  const group = currentGroup(reader);
  if (group.hidden) return;
  if (group.target === 'body') reader.paragraph.text += text;
  else if (group.target === 'title' || group.target === 'author') reader.facts[group.target] += text;
  else group.text += text;
};

/** Characters of several bytes need all their bytes at once, so bytes are decoded in runs. */
const flushBytes = (reader: RtfReader): void => {
  const { pending, fonts, codePage } = reader;
  if (pending === '') return;
  reader.pending = '';
  const ascii = !/[\x80-\xff]/.test(pending);
  const page = fonts.get(currentGroup(reader).font) ?? codePage;
  addText(reader, ascii ? pending : decodeCodePage(Buffer.from(pending, 'latin1'), page));
};

/** The encoding of a code page; 1250 to 1258 are added by their own number. */
const ENCODINGS = wordPairs(
  '866:ibm866|874:windows-874|932:shift_jis|936:gb18030|949:euc-kr|950:big5|10000:macintosh|20866:koi8-r|54936:gb18030|65001:utf-8',
);

/** The code page of a font's charset number. */
const FONT_CHARSETS = wordPairs(
  '0:1252|77:10000|128:932|129:949|134:936|136:950|161:1253|162:1254|163:1258|177:1255|178:1256|186:1257|204:1251|222:874|238:1250',
);

const decoders = new Map<number, TextDecoder>();

/** An unknown code page is read as 1252, that of western Europe. */
const decodeCodePage = (bytes: Uint8Array, codePage: number): string => {
  const known = decoders.get(codePage);
  if (known !== undefined) return known.decode(bytes);
  const windows = codePage >= 1250 && codePage <= 1258 ? codePage : 1252;
  const decoder = new TextDecoder(ENCODINGS.get(String(codePage)) ?? `windows-${windows}`);
  decoders.set(codePage, decoder);
  return decoder.decode(bytes);
};

/** Undefined for a charset that names no code page. */
const codePageOfCharset = (charset: number): number | undefined => {
  const codePage = FONT_CHARSETS.get(String(charset));
  return codePage === undefined ? undefined : Number(codePage);
};
