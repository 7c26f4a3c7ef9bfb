// Makes the memories from which the tests build the sections of a profile.
import type { WeighedMemory } from '../../../server/adapters/store/ports/memories/recall.ts';

export const DAY = 86_400_000;
export const START = Date.UTC(2026, 0, 1);

let numbers = 0;

export const memory = (text: string, more: Partial<WeighedMemory> = {}): WeighedMemory => ({
  n: ++numbers,
  id: `m${numbers}`,
  memory: text,
  version: 1,
  isStatic: false,
  isInference: false,
  isForgotten: false,
  review: null,
  metadata: null,
  documentDate: null,
  eventDates: [],
  forgetAfter: null,
  sourceCount: 1,
  createdAt: START,
  updatedAt: START,
  ...more,
});
