// What a content consists of. Mostly it is one part; pages and texts that came under one customId stand one behind the other.
import type { Claim, ClaimedFile, PartSize, Reading } from '../../adapters/store/ingest-port.ts';
import { type ContentKind, recognise } from './recognise.ts';

export interface Part {
  /**
   * `file` and `url` are still to be read, and then are a `read` part; these and `binary` cannot be joined with anything
   * before that.
   */
  readonly kind: 'text' | 'html' | 'read' | 'file' | 'url' | 'binary';
  /** By itself. Text that was joined may look like something else. */
  readonly looks: ContentKind;
  readonly content: string;
  /** Of a `file`. */
  readonly file?: ClaimedFile;
  /** Of a `read` part. */
  readonly reading?: Reading;
}

const SEPARATOR = '\n\n';

const kindOf = (looks: ContentKind): Part['kind'] =>
  looks === 'html' || looks === 'url' || looks === 'binary' ? looks : 'text';

/** What was sent in one go is what it looks like. */
export const partOf = (content: string): Part => {
  const looks = recognise(content);
  return { kind: kindOf(looks), looks, content };
};

export const textPart = (content: string): Part => ({ ...partOf(content), kind: 'text' });

export const filePart = (file: ClaimedFile): Part => ({ kind: 'file', looks: 'binary', content: '', file });

export const readPart = (content: string, reading: Reading): Part => ({
  kind: 'read',
  looks: reading.form === 'markdown' ? 'markdown' : 'text',
  content,
  reading,
});

const sizedPart = (content: string, { kind, reading }: PartSize): Part =>
  reading === undefined ? { ...partOf(content), kind } : readPart(content, reading);

export const partsOf = (content: string, layout: readonly PartSize[] | null): Part[] => {
  if (layout === null) return [partOf(content)];
  let at = 0;
  return layout.map((size) => {
    const part = sizedPart(content.slice(at, at + size.length), size);
    at += size.length + SEPARATOR.length;
    return part;
  });
};

/** What is stored of a document; an original stands for itself until it was read. */
export const storedParts = ({ content, layout, file }: Claim): Part[] =>
  file !== null && layout === null ? [filePart(file)] : partsOf(content, layout);

export interface Joined {
  readonly content: string;
  /** Null where the content itself says what it is, or is still to be read. */
  readonly layout: readonly PartSize[] | null;
}

const sizeOf = ({ kind, content, reading }: Part): PartSize => ({
  kind: kind === 'html' || kind === 'read' ? kind : 'text',
  length: content.length,
  ...(reading === undefined ? {} : { reading }),
});

export const joinParts = (parts: readonly Part[]): Joined => {
  const [only, ...others] = parts;
  const alone = only !== undefined && others.length === 0;
  const bare = alone && only.kind !== 'read' && (only.kind === 'file' || only.kind === kindOf(only.looks));
  return {
    content: parts.map(({ content }) => content).join(SEPARATOR),
    layout: bare ? null : parts.map(sizeOf),
  };
};
