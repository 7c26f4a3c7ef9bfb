// Collects the head and the parts of one reading: handed to the caller batch by batch, or kept for the end.
import { failure } from './failures.ts';
import type { ContentHead, ContentPart, ReadContent, ReadOptions } from './port.ts';

export interface Collector {
  head(head: ContentHead): void;
  parts(parts: readonly ContentPart[]): void | Promise<void>;
  hasText(): boolean;
  result(notes: readonly string[]): ReadContent;
}

export const createCollector = ({ begin, batch }: ReadOptions): Collector => {
  let known: ContentHead | null = null;
  let characters = 0;
  const kept: ContentPart[] = [];

  return {
    head(head) {
      known = head;
      begin?.(head);
    },
    parts(parts) {
      for (const { text } of parts) characters += text.length;
      if (batch !== undefined) return batch(parts);
      // Not `push(...parts)`: a table has more rows than a call may have arguments.
      for (const part of parts) kept.push(part);
    },
    hasText: () => characters > 0,
    result(notes) {
      if (known === null || characters === 0) throw failure('no_text_found');
      const note = notes.join(' ');
      return { ...known, parts: kept, characters, ...(note === '' ? {} : { note }) };
    },
  };
};
