// Builds a document part from an extracted file or address: its text, and the position of each passage.
import type { ContentPart, DocumentType, ReadContent } from '../../../adapters/extract/port.ts';
import type { WebVideo } from '../../../adapters/fetch/port.ts';
import type { PassageSize, Reading } from '../../../adapters/store/ports/ingestion/layout.ts';
import type { Metadata } from '../../../adapters/store/ports/metadata.ts';
import { defined } from '../../../lib/defined.ts';
import { parseDate } from '../../../lib/text/dates/parse-date.ts';
import { type Part, partOfReading } from './content-parts.ts';

/** Facts that do not come from the bytes. */
export interface Origin {
  from: Reading['from'];
  /** Overrides the kind that the bytes show. */
  type?: string | undefined;
  /** The title if the content itself has none. */
  name?: string | undefined;
}

/** Lines of tables and speech are joined by a line end, other passages by a blank line. */
export const gapBefore = (form: Reading['form'], { continues, place }: PassageSize): string => {
  if (continues) return '';
  return form === 'lines' || place?.startTime !== undefined ? '\n' : '\n\n';
};

const passagePlace = ({
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

const passageSize = (part: ContentPart): PassageSize => ({
  length: part.text.length,
  ...defined({
    continues: part.continues,
    place: passagePlace(part),
    heading: part.heading,
    speaker: part.speaker,
    at: part.at,
  }),
});

const LONGEST_FACT = 500;

/** Long texts are not stored as metadata; the document contains them. */
const shortFacts = (metadata: ReadContent['metadata']): Metadata =>
  Object.fromEntries(
    Object.entries(metadata ?? {}).flatMap(([key, value]) => {
      const fact = typeof value === 'string' ? value.slice(0, LONGEST_FACT).toWellFormed().trim() : value;
      return fact === '' ? [] : [[key, fact]];
    }),
  );

const publishedDate = ({ published }: Metadata): number | undefined =>
  (typeof published === 'string' ? parseDate(published) : null) ?? undefined;

/** The last part of an address says little about a page. */
const originName = (kind: string, { from, name }: Origin): string | undefined =>
  kind === 'html' && from === 'web' ? undefined : name;

const joinPassages = (
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
  const passages = parts.map(passageSize);
  const facts = shortFacts(metadata);
  const text = joinPassages(
    form,
    parts.map((part) => part.text),
    passages,
  );
  return partOfReading(text, {
    from: origin.from,
    type: origin.type ?? type,
    kind,
    form,
    mimeType,
    facts,
    passages,
    ...defined({ title, name: originName(kind, origin), date: publishedDate(facts), note }),
  });
};

const VIDEO: DocumentType = 'video';

/** The transcript of a video; without a transcript, its description. */
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
