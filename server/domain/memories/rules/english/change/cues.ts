// The words of a statement that tell whether it replaces an earlier one or adds to it.

/** Words of change: the state is another one from now on. */
const CHANGES =
  /(?<!for (?:\S+ ){1,3})\b(?:now|nowadays|these days|currently|at the moment|from now on|instead|any ?more|no longer|switch(?:ed|es)|as of)\b/i;
/** The earlier value stays beside this one. */
const ADDS =
  /\b(?:also|too|as well|another|additionally|in addition|besides|on top|one more|a second|a third|second|third|extra|both)\b/i;

export interface Cues {
  readonly changes: boolean;
  readonly adds: boolean;
}

export const cuesOf = (memory: string): Cues => {
  const adds = ADDS.test(memory);
  return { adds, changes: !adds && CHANGES.test(memory) };
};
