// The parts of a message around a statement: "The Vespa is sold" beside "The user rides a Honda" tells what the Honda replaces.
import type { Grammar, Sketch } from '../language.ts';

export interface Surroundings {
  /** The statement just before it in its message. */
  readonly before: Sketch | null;
  /** The nearest statements of its message, that one among them. */
  readonly others: readonly Sketch[];
}

export const NO_SURROUNDINGS: Surroundings = { before: null, others: [] };

/** A long text tells of many things: those further away are of others. */
const NEAREST = 2;

interface Placed {
  readonly memory: string;
  readonly positions: readonly number[];
}

/** The surroundings of the statement at this place among those that are drawn together. */
export const surroundingsOf = (drawn: readonly Placed[], at: number, grammar: Grammar): Surroundings => {
  const own = drawn[at]?.positions ?? [];
  const others: Sketch[] = [];
  let before: Sketch | null = null;
  for (let place = Math.max(0, at - NEAREST); place <= at + NEAREST; place++) {
    const one = drawn[place];
    if (!one || place === at || !one.positions.some((position) => own.includes(position))) continue;
    const sketch = grammar.factOf(one.memory)?.sketch ?? null;
    if (sketch === null) continue;
    others.push(sketch);
    if (place === at - 1) before = sketch;
  }
  return { before, others };
};
