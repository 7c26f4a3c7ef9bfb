// What was read from a file or an address, as a part of a document: its text, and where each passage of it stands.
import type { ContentPart, DocumentType, ReadContent } from '../../adapters/extract/port.ts';
import type { WebVideo } from '../../adapters/fetch/port.ts';
import type { PassageSize, Reading } from '../../adapters/store/ingest-port.ts';
import type { Metadata } from '../../adapters/store/port.ts';
import { defined } from '../../lib/defined.ts';
import { parseDate } from '../../lib/text/dates.ts';
import { type Part, readPart } from './parts.ts';

/** What is known of it beside its bytes. */
export interface Origin {
  from: Reading['from'];
  /** Instead of what its bytes say. */
  type?: string | undefined;
  /** Its title where the content itself has none. */
  name?: string | undefined;
}

/** Lines of a table and of speech stand close together, everything else is set apart. */
export const gapBefore = (form: Reading['form'], { continues, place }: PassageSize): string => {
  if (continues) return '';
  return form === 'lines' || place?.startTime !== undefined ? '\n' : '\n\n';
};

const placeOf = ({
  page,
  slide,
  sheet,
  row,
  lastRow,
  startTime,
  endTime,
}: ContentPart): Metadata | undefined => {
  const place = defined({ page, slide, sheet, row, lastRow, startTime, endTime });
  return Object.keys(place).length === 0 ? undefined : place;
};

const passageOf = (part: ContentPart): PassageSize => ({
  length: part.text.length,
  ...defined({
    continues: part.continues,
    place: placeOf(part),
    heading: part.heading,
    speaker: part.speaker,
  }),
});

const LONGEST_FACT = 500;

/** Long texts are no metadata; the document itself has them. */
const factsOf = (metadata: ReadContent['metadata']): Metadata =>
  Object.fromEntries(
    Object.entries(metadata ?? {}).flatMap(([key, value]) => {
      const fact = typeof value === 'string' ? value.slice(0, LONGEST_FACT).toWellFormed().trim() : value;
      return fact === '' ? [] : [[key, fact]];
    }),
  );

const dateOf = ({ published }: Metadata): number | undefined =>
  (typeof published === 'string' ? parseDate(published) : null) ?? undefined;

/** The end of its address says little about a page. */
const nameOf = (kind: string, { from, name }: Origin): string | undefined =>
  kind === 'html' && from === 'web' ? undefined : name;

const joinedText = (
  form: Reading['form'],
  texts: readonly string[],
  passages: readonly PassageSize[],
): string => {
  let text = '';
  for (const [at, passage] of passages.entries())
    text += (at === 0 ? '' : gapBefore(form, passage)) + (texts[at] ?? '');
  return text;
};

export const partOfContent = (
  { kind, form, type, mimeType, title, metadata, note }: Omit<ReadContent, 'parts'>,
  parts: readonly ContentPart[],
  origin: Origin,
): Part => {
  const passages = parts.map(passageOf);
  const facts = factsOf(metadata);
  const text = joinedText(
    form,
    parts.map((part) => part.text),
    passages,
  );
  return readPart(text, {
    from: origin.from,
    type: origin.type ?? type,
    kind,
    form,
    mimeType,
    facts,
    passages,
    ...defined({ title, name: nameOf(kind, origin), date: dateOf(facts), note }),
  });
};

const VIDEO: DocumentType = 'video';

/** What is said in a video, or where nobody wrote that down, what is said about it. */
export const partOfVideo = ({ title, description, lines, metadata, note }: WebVideo): Part => {
  const about: ContentPart[] = [title, description].flatMap((text) => (text ? [{ text }] : []));
  const parts = lines.length > 0 ? lines : about;
  const facts = { ...metadata, ...(lines.length > 0 ? defined({ description }) : {}) };
  return partOfContent(
    {
      kind: 'video',
      type: VIDEO,
      mimeType: 'text/html',
      form: 'prose',
      metadata: facts,
      characters: 0,
      ...defined({ title, note }),
    },
    parts,
    { from: 'web' },
  );
};
