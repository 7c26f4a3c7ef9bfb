// The parts of a content. Most content is one part; several pages and texts under one customId are several parts.
import type { Claim, ClaimedFile } from '../../../adapters/store/ports/ingestion/claims.ts';
import type { PartSize, Reading } from '../../../adapters/store/ports/ingestion/layout.ts';
import { type RecognisedKind, recogniseKind } from './recognise-kind.ts';

export interface Part {
  /**
   * `file` and `url` become a `read` part by extraction, and cannot be joined with other parts before it.
   */
  readonly kind: 'text' | 'html' | 'read' | 'file' | 'url';
  /** The kind of the part alone; joined text may look like another kind. */
  readonly looks: RecognisedKind;
  readonly content: string;
  /** Only for a `file` part. */
  readonly file?: ClaimedFile;
  /** Only for a `read` part. */
  readonly reading?: Reading;
}

const SEPARATOR = '\n\n';

const partKind = (looks: RecognisedKind): Part['kind'] =>
  looks === 'html' || looks === 'url' ? looks : 'text';

/** Recognises the kind of content that was sent in one call. */
export const toPart = (content: string): Part => {
  const looks = recogniseKind(content);
  return { kind: partKind(looks), looks, content };
};

export const textPart = (content: string): Part => ({ ...toPart(content), kind: 'text' });

export const partOfFile = (file: ClaimedFile): Part => ({ kind: 'file', looks: 'text', content: '', file });

export const partOfReading = (content: string, reading: Reading): Part => ({
  kind: 'read',
  looks: reading.form === 'markdown' ? 'markdown' : 'text',
  content,
  reading,
});

const sizedPart = (content: string, { kind, reading }: PartSize): Part =>
  reading === undefined ? { ...toPart(content), kind } : partOfReading(content, reading);

export const splitParts = (content: string, layout: readonly PartSize[] | null): Part[] => {
  if (layout === null) return [toPart(content)];
  let at = 0;
  return layout.map((size) => {
    const part = sizedPart(content.slice(at, at + size.length), size);
    at += size.length + SEPARATOR.length;
    return part;
  });
};

/** The stored parts of a document; an uploaded file is one part until it is read. */
export const storedParts = ({ content, layout, file }: Claim): Part[] =>
  file !== null && layout === null ? [partOfFile(file)] : splitParts(content, layout);

export interface Joined {
  readonly content: string;
  /** Null if the content itself shows its kind, or is still to be read. */
  readonly layout: readonly PartSize[] | null;
}

const partSize = ({ kind, content, reading }: Part): PartSize => ({
  kind: kind === 'html' || kind === 'read' ? kind : 'text',
  length: content.length,
  ...(reading === undefined ? {} : { reading }),
});

export const joinParts = (parts: readonly Part[]): Joined => {
  const [only, ...others] = parts;
  const alone = only !== undefined && others.length === 0;
  const bare = alone && only.kind !== 'read' && (only.kind === 'file' || only.kind === partKind(only.looks));
  return {
    content: parts.map(({ content }) => content).join(SEPARATOR),
    layout: bare ? null : parts.map(partSize),
  };
};
