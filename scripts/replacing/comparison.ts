// A later statement with the earlier ones that it is compared with, as the model of replacement learns from them.
import type { Canonical } from '../../server/domain/memories/rules/aliases.ts';
import type { RuleFact } from '../../server/domain/memories/rules/language.ts';
import type { Surroundings } from '../../server/domain/memories/rules/replacing/surroundings.ts';

/** A statement that the reader draws. */
export interface Said {
  readonly memory: string;
  readonly fact: RuleFact;
  readonly position: number;
}

export interface Label {
  readonly isYes: boolean;
  readonly weight: number;
  readonly isSameTime: boolean;
}

/** A later statement with the earlier ones that it is compared with. */
export interface Comparison {
  /** Comparisons of one group are trained on or judged together. */
  readonly group: string;
  readonly later: Said;
  readonly around: Surroundings;
  /** By the names that the statements give: "I'm Spencer" makes both one person, as it does for the reader. */
  readonly canonical: Canonical;
  readonly earlier: readonly (readonly [Said, Label])[];
}
