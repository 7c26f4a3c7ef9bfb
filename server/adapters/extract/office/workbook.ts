// The parts of an XLSX that all its sheets use: their order, the shared texts, the number formats.
import { failure } from '../failures.ts';
import { type NumberFormat, numberFormat } from './number-formats.ts';
import type { OfficePackage, Relationship } from './package.ts';
import { attribute, prefixedAttribute } from './sax.ts';

export interface Sheet {
  readonly name: string;
  readonly part: string;
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  readonly from1904: boolean;
  /** By the number in a cell. */
  readonly shared: readonly string[];
  readonly formats: readonly NumberFormat[];
}

const MOST_SHARED = 60_000_000;

export const readWorkbook = async (office: OfficePackage): Promise<Workbook> => {
  const main = await office.main('xl/workbook.xml');
  const relations = await office.relationships(main);
  const partOf = (type: string) => relations.find((one) => one.type === type)?.target;
  return {
    ...(await readSheets(office, main, relations)),
    shared: await readShared(office, partOf('sharedStrings')),
    formats: await readFormats(office, partOf('styles')),
  };
};

const readSheets = async (
  office: OfficePackage,
  main: string,
  relations: readonly Relationship[],
): Promise<Pick<Workbook, 'sheets' | 'from1904'>> => {
  const targets = new Map(relations.map(({ id, target }) => [id, target]));
  const sheets: Sheet[] = [];
  let from1904 = false;
  await office.parse(main, {
    open(name, attributes) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attribute(attributes, 'date1904') ?? '');
      // Not even the menu of the program shows a "very hidden" sheet.
      if (name !== 'sheet' || attribute(attributes, 'state') === 'veryHidden') return;
      const part = targets.get(prefixedAttribute(attributes, 'id') ?? '');
      if (part !== undefined) sheets.push({ name: attribute(attributes, 'name') ?? '', part });
    },
  });
  return { sheets, from1904 };
};

const readShared = async (office: OfficePackage, part: string | undefined): Promise<string[]> => {
  const shared: string[] = [];
  if (part === undefined) return shared;
  let text = '';
  let characters = 0;
  let inText = false;
  /** Phonetic hints of Japanese words are not a part of the text. */
  let phonetic = 0;
  await office.parse(part, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 't') inText = true;
      else if (name === 'rPh') phonetic++;
    },
    text(piece) {
      if (!inText || phonetic > 0) return;
      text += piece;
      characters += piece.length;
      if (characters > MOST_SHARED) throw failure('text_too_large');
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'rPh') phonetic--;
      else if (name === 'si') shared.push(text);
    },
  });
  return shared;
};

const readFormats = async (office: OfficePackage, part: string | undefined): Promise<NumberFormat[]> => {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  if (part === undefined) return formats;
  let inCells = false;
  await office.parse(part, {
    open(name, attributes) {
      const number = Number(attribute(attributes, 'numFmtId') ?? 0) || 0;
      if (name === 'numFmt') codes.set(number, attribute(attributes, 'formatCode') ?? '');
      else if (name === 'cellXfs') inCells = true;
      else if (name === 'xf' && inCells) formats.push(numberFormat(number, codes.get(number)));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return formats;
};
