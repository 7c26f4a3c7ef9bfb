// The options of a search that could not be carried out, with the reason; the answer lists them as `notes`.
import type { SearchNote } from '../../../tools/search/schemas/notes.ts';

export type SkippedOption = SearchNote;

export interface SkippedOptions {
  add(option: SkippedOption['about'], message: string): void;
  readonly all: readonly SkippedOption[];
}

export const createSkippedOptions = (): SkippedOptions => {
  const all: SkippedOption[] = [];
  return {
    all,
    add(about, message) {
      // One request may need several searches, and each of them would report the same.
      if (!all.some((option) => option.about === about && option.message === message))
        all.push({ about, message });
    },
  };
};
