// The tables of a language: its verbs in the first and the third person, and the words around them.
import type { ToldWords } from './forms.ts';

/** The attribute that a verb states. `each`: one for every value ("allergy:nuts"); else one value at a time. */
export interface Attribute {
  readonly slot: string | null;
  readonly isEach?: boolean;
  readonly denies?: boolean;
}

export interface SelfVerb extends Attribute {
  readonly third: string;
}

export interface SelfLanguage {
  /** ISO 639-1. */
  readonly code: string;
  /** The speaker without a name. */
  readonly user: string;
  /** "ich": the verb follows, or precedes in a question of order. */
  readonly pronouns: ReadonlySet<string>;
  /** False where the verb alone tells the person: "vivo". */
  readonly needsPronoun: boolean;
  readonly verbs: ReadonlyMap<string, SelfVerb>;
  /** Words between the pronoun and the verb, and what they become: "me" → "se", "no" → "no". */
  readonly between: ReadonlyMap<string, string>;
  /** "my", "me" and "we" in the rest: the sentence is then quoted. */
  readonly own: RegExp;
  readonly negations: RegExp;
  /** Moods and phrases that are worth no memory. */
  readonly vague: RegExp;
  /** Words in front of a value: "in", "an". */
  readonly before: RegExp;
  /** The present state that "is" gives: a slot by what follows. */
  readonly being: readonly (readonly [pattern: RegExp, attribute: Attribute])[];
  /** "We", in a pronoun or in the end of a verb. */
  readonly we: RegExp;
  /** Words to somebody: "you", "your". */
  readonly address: RegExp;
  /** Thanks, greetings and wishes at the beginning. */
  readonly courtesy: RegExp;
  /** Questions, orders to an assistant and opinions, by their first words. */
  readonly request: RegExp;
  /** Articles and ties at the beginning of a sentence about somebody or something. */
  readonly article: RegExp;
  /** Verbs and words of change. */
  readonly told: ToldWords;
  /** Sentences about somebody of the speaker: "meine Schwester wohnt …". */
  readonly relatives: RegExp;
}

/** "wohne wohnt home" for each verb; a slot that ends with ":" holds one value for every thing, "-" denies it. */
export const verbTable = (rows: string): ReadonlyMap<string, SelfVerb> =>
  new Map(
    rows
      .trim()
      .split(/\s*\n\s*|\s*\|\s*/)
      .map((row) => {
        const [first = '', third = '', slot = ''] = row.split(/\s+/);
        const plain = slot.replace(/[:-]+$/, '');
        return [
          first,
          {
            third: third.replaceAll('_', ' '),
            slot: plain === '' ? null : plain,
            isEach: slot.includes(':'),
            denies: slot.endsWith('-'),
          },
        ];
      }),
  );

export const pairs = (rows: string): ReadonlyMap<string, string> =>
  new Map(rows.split(' ').map((row) => row.split('=') as [string, string]));
