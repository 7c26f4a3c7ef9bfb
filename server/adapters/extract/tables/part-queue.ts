// A queue of parts for parsers that cannot wait for the sink.
import type { Sink } from '../contract.ts';
import type { ContentPart } from '../port.ts';

export interface PartQueue {
  readonly length: number;
  add(part: ContentPart): void;
  drain(sink: Sink): Promise<void>;
}

export const createPartQueue = (): PartQueue => {
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
};
