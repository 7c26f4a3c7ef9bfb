// What an answer says of itself: which wish could not be granted, and why.
import type { SearchNote } from '../../../tools/shared/search-notes.ts';

export type Note = SearchNote;

/** Of one search. */
export interface Notes {
  add(about: Note['about'], message: string): void;
  readonly all: readonly Note[];
}

export function createNotes(): Notes {
  const all: Note[] = [];
  return {
    all,
    add(about, message) {
      // Several searches may answer one request, and each would say it.
      if (!all.some((note) => note.about === about && note.message === message)) all.push({ about, message });
    },
  };
}
