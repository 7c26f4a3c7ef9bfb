// Faults that change nothing that a caller or the owner could see, each with the reason.
import type { Mutant } from './operators.ts';

export interface Equivalent {
  readonly path: string;
  readonly operator: string;
  /** The line of the source, without the space around it. */
  readonly line: string;
  readonly reason: string;
}

export const equivalents: readonly Equivalent[] = [];

export const reasonFor = (mutant: Mutant, text: string): string | undefined => {
  const line = text.split('\n')[mutant.line - 1]?.trim();
  return equivalents.find(
    (each) => each.path === mutant.path && each.operator === mutant.operator && each.line === line,
  )?.reason;
};
