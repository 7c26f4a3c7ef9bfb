// Builds requests to a reader from short descriptions.
import type {
  KnownMemory,
  ReadRequest,
  Utterance,
} from '../../../server/adapters/language-model/ports/memory-reader.ts';

export const MONDAY = Date.UTC(2023, 4, 8, 12);

export const turn = (speaker: string | null, text: string, more: Partial<Utterance> = {}): Utterance => ({
  text,
  role: speaker === null ? 'user' : null,
  speaker,
  position: 0,
  date: null,
  ...more,
});

/** Turns of one conversation, numbered in order. */
export const turns = (...said: readonly (readonly [string | null, string])[]): Utterance[] =>
  said.map(([speaker, text], position) => turn(speaker, text, { position }));

export const known = (id: string, memory: string, more: Partial<KnownMemory> = {}): KnownMemory => ({
  id,
  memory,
  isStatic: true,
  slot: null,
  about: null,
  updatedAt: 0,
  ...more,
});

export const request = (more: Partial<ReadRequest> = {}): ReadRequest => ({
  fresh: [],
  around: [],
  conversation: true,
  title: null,
  documentDate: MONDAY,
  guidance: { entityContext: [], filterPrompt: null, includeItems: [], excludeItems: [] },
  served: [],
  known: [],
  ...more,
});
