// The forms of the verbs that tell of a change, and the words around them: a table for each language.

/** The person of the verb, by the form alone; "they" are the parents. */
type Person = 'self' | 'third' | 'we' | 'they';

/**
 * `go`: "went to live"; `end`: "sold the car"; `stop`: "stopped smoking"; `change`: "changed schools"; `swap`: "swapped football for judo"; `begin`:
 * "opened a bakery".
 */
export type Kind =
  | 'live'
  | 'move'
  | 'go'
  | 'work'
  | 'be'
  | 'become'
  | 'have'
  | 'end'
  | 'stop'
  | 'change'
  | 'swap'
  | 'begin'
  | 'die'
  | 'other';

export interface Form {
  readonly person: Person | 'participle';
  readonly kind: Kind;
  /** In the past: nothing that holds now. */
  readonly isPast: boolean;
}

export interface ToldWords {
  readonly forms: ReadonlyMap<string, readonly Form[]>;
  /** "habe hat haben haben", "bin ist sind sind". */
  readonly auxiliaries: ReadonlyMap<string, readonly Person[]>;
  /** "wir"; French "on" and Portuguese "a gente" take the verb of the third person. */
  readonly weWords: RegExp;
  /** Before the place that somebody moved to. */
  readonly to: ReadonlySet<string>;
  /** Before a trade: "als". */
  readonly as: RegExp;
  readonly noLonger: RegExp;
  /** Wishes, plans, suppositions, what nearly happened or has not happened yet. */
  readonly unreal: RegExp;
  readonly now: RegExp;
  readonly adds: RegExp;
  /** "job". */
  readonly job: RegExp;
  /** Verbs that tell nothing without their object: "go", "do", "play". */
  readonly general: RegExp;
  readonly things: ThingWords;
}

/** Words about a thing, behind its noun. */
export interface ThingWords {
  readonly trouble: RegExp;
  readonly mended: RegExp;
  /** "beträgt", "kostet". */
  readonly amounts: RegExp;
  /** "steigt auf". */
  readonly rises: RegExp;
  /** "wurde verlegt". */
  readonly shifted: RegExp;
  /** "bleiben", "restano". */
  readonly remains: RegExp;
}

const PERSONS: readonly Person[] = ['self', 'third', 'we', 'they'];
const PRESENT_KINDS = new Set<Kind>(['live', 'work', 'be', 'have', 'other']);

/** "self third we they participle kind" for each verb: "-" where there is no form, "/" between several. */
export const verbForms = (rows: string): ReadonlyMap<string, readonly Form[]> => {
  const found = new Map<string, Form[]>();
  for (const row of rows.trim().split(/\s*\n\s*|\s*\|\s*/)) {
    const cells = row.split(' ');
    const kind = (cells.at(-1) ?? 'other') as Kind;
    for (const [at, cell] of cells.slice(0, -1).entries())
      for (const form of cell.split('/')) {
        if (form === '-') continue;
        const person = PERSONS[at] ?? 'participle';
        const isPast = person === 'participle' || !PRESENT_KINDS.has(kind);
        found.set(form, [...(found.get(form) ?? []), { person, kind, isPast }]);
      }
  }
  return found;
};

/** "habe hat haben haben" for each auxiliary. */
export const auxiliaries = (rows: string): ReadonlyMap<string, readonly Person[]> => {
  const found = new Map<string, Person[]>();
  for (const row of rows.split(' | '))
    for (const [at, form] of row.split(' ').entries())
      found.set(form, [...(found.get(form) ?? []), PERSONS[at] ?? 'third']);
  return found;
};
