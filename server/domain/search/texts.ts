// Which texts are the same to a reader, found out without looking at the whole of each.

/** Single spaces are left alone: replacing each by itself would cost more than all the rest. */
const UNEVEN_SPACE = /\s{2,}|[^\S ]/g;

/** Statements are drawn without the full stop of their sentence. */
const EDGES = /^[\s"'“”‘’.…]+|[\s"'“”‘’.…。]+$/gu;

/** Equal for texts that differ in nothing that matters to a reader. */
const sameText = (text: string): string =>
  text.normalize('NFKC').replace(EDGES, '').replace(UNEVEN_SPACE, ' ').toLowerCase();

const LOOKED_AT = 64;
/** A mark that follows may still change the last letter. */
const UNCHANGED = LOOKED_AT - 4;
const LETTERS = 12;
const ASCII = /^\p{ASCII}*$/u;

const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
    .slice(0, LETTERS);

/** Equal for equal texts, and for few others: their first letters and digits. */
function beginningOf(text: string): string {
  if (ASCII.test(text.slice(0, LOOKED_AT))) {
    const letters = lettersOf(text.slice(0, UNCHANGED));
    if (letters.length === LETTERS) return letters;
  }
  return lettersOf(text.normalize('NFKC'));
}

export interface Texts {
  has(text: string): boolean;
  /** False: it was there. */
  add(text: string): boolean;
}

/** A set of texts, where those that are the same to a reader are one. */
export function createTexts(): Texts {
  /** By beginning; as long as it is the only one, a text is kept as it came. */
  const only = new Map<string, string>();
  const several = new Map<string, Set<string>>();

  /** All with this beginning, now to be told apart by more. */
  function together(beginning: string, first: string): Set<string> {
    const known = several.get(beginning) ?? new Set([sameText(first)]);
    several.set(beginning, known);
    return known;
  }

  return {
    has(text) {
      if (only.size === 0) return false;
      const beginning = beginningOf(text);
      const first = only.get(beginning);
      return first !== undefined && together(beginning, first).has(sameText(text));
    },
    add(text) {
      const beginning = beginningOf(text);
      const first = only.get(beginning);
      if (first === undefined) {
        only.set(beginning, text);
        return true;
      }
      const known = together(beginning, first);
      const { size } = known;
      return known.add(sameText(text)).size > size;
    },
  };
}
