// What a content consists of. Mostly it is one part; pages and texts that came under one customId stand one behind the other.
import type { PartSize } from '../../adapters/store/ingest-port.ts';
import { type ContentKind, recognise } from './recognise.ts';

export interface Part {
  /** `url` and `binary` cannot be read and so are never beside anything. */
  readonly kind: 'text' | 'html' | 'url' | 'binary';
  /** By itself. Text that was joined may look like something else. */
  readonly looks: ContentKind;
  readonly content: string;
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

export const partsOf = (content: string, layout: readonly PartSize[] | null): Part[] => {
  if (layout === null) return [partOf(content)];
  let at = 0;
  return layout.map(({ kind, length }) => {
    const part = { ...partOf(content.slice(at, at + length)), kind };
    at += length + SEPARATOR.length;
    return part;
  });
};

export interface Joined {
  readonly content: string;
  /** Null where the content itself says what it is. */
  readonly layout: readonly PartSize[] | null;
}

const sizeOf = ({ kind, content }: Part): PartSize => ({
  kind: kind === 'html' ? 'html' : 'text',
  length: content.length,
});

export const joinParts = (parts: readonly Part[]): Joined => {
  const [only, ...others] = parts;
  const alone = only !== undefined && others.length === 0;
  return {
    content: parts.map(({ content }) => content).join(SEPARATOR),
    layout: alone && only.kind === kindOf(only.looks) ? null : parts.map(sizeOf),
  };
};
