// What a content consists of. Mostly it is one part; pages and texts that came under one customId stand one behind the other.
import type { PartSize } from '../../adapters/store/ingest-port.ts';
import { recognise } from './recognise.ts';

/** `url` and `binary` cannot be read and so are never beside anything. */
export interface Part {
  readonly kind: 'text' | 'html' | 'url' | 'binary';
  readonly content: string;
}

const SEPARATOR = '\n\n';

const kindOf = (content: string): Part['kind'] => {
  const kind = recognise(content);
  return kind === 'html' || kind === 'url' || kind === 'binary' ? kind : 'text';
};

/** What was sent in one go is of one kind. */
export const partOf = (content: string): Part => ({ kind: kindOf(content), content });

/** Also what looks like something else now that it was joined. */
export const textPart = (content: string): Part => ({ kind: 'text', content });

export const partsOf = (content: string, layout: readonly PartSize[] | null): Part[] => {
  if (layout === null) return [partOf(content)];
  let at = 0;
  return layout.map(({ kind, length }) => {
    const part = { kind, content: content.slice(at, at + length) };
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
    layout: alone && only.kind === kindOf(only.content) ? null : parts.map(sizeOf),
  };
};
