// Edits one entry in a JSON settings file in place: comments, order and layout of everything else stay.
import {
  applyEdits,
  createScanner,
  type Edit,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import {
  checkedText,
  type EntryPlace,
  entriesAt,
  invalidFile,
  type SettingsObject,
  type SettingsText,
  type TextPosition,
  withEntries,
} from './settings-text.ts';

const INDENTED_KEY = /\n([ \t]+)"/;

export const jsonText = (value: unknown, like = ''): string =>
  `${JSON.stringify(value, null, INDENTED_KEY.exec(like)?.[1] ?? '  ')}\n`;

const positionAt = (text: string, offset: number): TextPosition => {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
};

/** `CommaExpected` as "comma expected". */
const parseErrorText = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replace(/\B[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();

/** Undefined: the file is empty or holds only comments. */
const parseSettingsJson = (text: string, place: EntryPlace): Node | undefined => {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error === undefined) return root;
  const reason = parseErrorText(error);
  throw invalidFile(place, 'JSON', { ...positionAt(text, error.offset), reason });
};

const readSettingsJson = (text: string, place: EntryPlace): unknown => {
  const root = parseSettingsJson(text, place);
  return root === undefined ? {} : getNodeValue(root);
};

// --- places in the text ----------------------------------------------------------------------------

const nodeEnd = (node: Node): number => node.offset + node.length;

const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';

/** The end of the comma that follows, after comments if there are any; undefined: no comma follows. */
const commaAfter = (text: string, offset: number): number | undefined => {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at + 1 : undefined;
};

const isOneLine = (text: string, { offset, length }: Node): boolean =>
  !text.slice(offset, offset + length).includes('\n');

/** The JSON of a value, indented for a line with this indentation. */
const valueText = (value: unknown, text: string, indent: string): string =>
  jsonText(value, text).trimEnd().replaceAll('\n', `\n${indent}`);

// --- edits -----------------------------------------------------------------------------------------

/** Inserts a property after the last one and its comment. */
const insertProperty = (text: string, parent: Node, key: string, value: unknown): Edit[] => {
  const last = parent.children?.at(-1);
  const close = nodeEnd(parent) - 1;
  if (last !== undefined && isOneLine(text, parent)) {
    const content = `, ${JSON.stringify(key)}: ${JSON.stringify(value)}`;
    return [{ offset: nodeEnd(last), length: 0, content }];
  }
  const outer = indentAt(text, parent.offset);
  const step = INDENTED_KEY.exec(text)?.[1] ?? '  ';
  const indent = last === undefined ? outer + step : indentAt(text, last.offset);
  const end = text.slice(0, close).trimEnd().length;
  const hasComma = last !== undefined && commaAfter(text, nodeEnd(last)) !== undefined;
  const property = `\n${indent}${JSON.stringify(key)}: ${valueText(value, text, indent)}`;
  const added = {
    offset: end,
    length: close - end,
    content: `${property}${hasComma ? ',' : ''}\n${outer}`,
  };
  return last === undefined || hasComma
    ? [added]
    : [{ offset: nodeEnd(last), length: 0, content: ',' }, added];
};

/** Removes the lines of a property, or only its text where a line holds something else. */
const removedRange = (text: string, start: number, end: number): Edit => {
  const before = /\n[ \t]*$/.exec(text.slice(0, start))?.[0];
  const after = /^[ \t]*(?=\r?\n|\}|$)/.exec(text.slice(end))?.[0];
  if (before === undefined || after === undefined) {
    const spaces = /^[ \t]*/.exec(text.slice(end))?.[0] ?? '';
    const from = text[end - 1] === ',' ? start : text.slice(0, start).trimEnd().length;
    return { offset: from, length: end + spaces.length - from, content: '' };
  }
  const from = start - before.length - (text[start - before.length - 1] === '\r' ? 1 : 0);
  return { offset: from, length: end + after.length - from, content: '' };
};

const removeProperty = (text: string, property: Node): Edit[] => {
  const { parent } = property;
  const siblings = parent?.children ?? [];
  const inside =
    parent &&
    text.slice(parent.offset + 1, property.offset) + text.slice(nodeEnd(property), nodeEnd(parent) - 1);
  if (parent && siblings.length === 1 && /^[\s,]*$/.test(inside ?? ''))
    return [{ offset: parent.offset, length: parent.length, content: '{}' }];
  const ownComma = commaAfter(text, nodeEnd(property));
  const removed = removedRange(text, property.offset, ownComma ?? nodeEnd(property));
  const previous = siblings[siblings.indexOf(property) - 1];
  if (ownComma !== undefined || previous === undefined) return [removed];
  const comma = commaAfter(text, nodeEnd(previous)) ?? 0;
  return [{ offset: comma - 1, length: 1, content: '' }, removed];
};

/** Inserts the entry into the deepest object that exists on its path. */
const insertEntry = (text: string, root: Node, { path, name }: EntryPlace, entry: SettingsObject): Edit[] => {
  const keys = [...path, name];
  const known = keys.findLastIndex((_, at) => findNodeAtLocation(root, keys.slice(0, at))?.type === 'object');
  const parent = findNodeAtLocation(root, keys.slice(0, known)) ?? root;
  const nested = keys.slice(known + 1).reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry);
  return insertProperty(text, parent, keys[known] ?? name, nested);
};

const replaceValue = (text: string, node: Node, value: unknown): Edit => {
  const content =
    node.parent?.parent !== undefined && isOneLine(text, node.parent.parent)
      ? JSON.stringify(value)
      : valueText(value, text, indentAt(text, node.parent?.offset ?? node.offset));
  return { offset: node.offset, length: node.length, content };
};

// --- the file --------------------------------------------------------------------------------------

/** Some editors on Windows write this mark at the start of a file. */
const BYTE_ORDER_MARK = '\uFEFF';

export const jsonSettings = (file: string, place: EntryPlace): SettingsText => {
  const mark = file.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const text = file.slice(mark.length);
  const root = parseSettingsJson(text, place);
  const settings = readSettingsJson(text, place) as SettingsObject;
  const { [place.name]: entry, ...others } = entriesAt(settings, place);
  const node = root && findNodeAtLocation(root, [...place.path, place.name]);
  const newLine = /\r?\n/.exec(text)?.[0] ?? '\n';

  const edited = (edits: readonly Edit[], entries: SettingsObject): string => {
    const adapted = edits.map((edit) => ({ ...edit, content: edit.content.replaceAll('\n', newLine) }));
    const expected = withEntries(settings, place.path, entries);
    return (
      mark +
      checkedText(applyEdits(text, adapted), expected, place, (again) => readSettingsJson(again, place))
    );
  };
  return {
    entry,
    withEntry: (added) => {
      const entries = { ...others, [place.name]: added };
      if (root === undefined) {
        const comments = text.trim() === '' ? '' : `${text.trimEnd()}${newLine}`;
        return mark + comments + jsonText(withEntries({}, place.path, entries));
      }
      const edits = node ? [replaceValue(text, node, added)] : insertEntry(text, root, place, added);
      return edited(edits, entries);
    },
    withoutEntry: () => (node?.parent ? edited(removeProperty(text, node.parent), others) : file),
  };
};
