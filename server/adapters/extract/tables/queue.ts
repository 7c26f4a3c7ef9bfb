// Parts that were found while a parser could not wait, until the sink takes them.
import type { Sink } from '../kinds/contract.ts';
import type { ContentPart } from '../port.ts';

export interface PartQueue {
  readonly length: number;
  add(part: ContentPart): void;
  drain(sink: Sink): Promise<void>;
}

export function createPartQueue(): PartQueue {
  let parts: ContentPart[] = [];
  return {
    get length() {
      return parts.length;
    },
    add(part) {
      parts.push(part);
    },
    async drain(sink) {
      const found = parts;
      parts = [];
      for (const part of found) await sink.part(part);
    },
  };
}
