// The statements that a turn in a life ends although it does not name them: a death, a birth, a stolen car.
import { isLivedThrough, isOfTheDead } from '../changes.ts';
import { ANYBODY, type RuleFact } from '../language.ts';
import type { EarlierStatement, StatementPool } from './statement-pool.ts';

type IsChanged = (fresh: RuleFact, known: RuleFact) => boolean;

/** The statements of this subject for which `isChanged` holds. */
export type FindChanged = (subject: string, isChanged: IsChanged) => EarlierStatement[];

/** "Rosa's brother" stands among what is said of Rosa. */
const isOwn =
  (key: string, { canonical }: StatementPool): IsChanged =>
  (_, { holder, subject }) =>
    key === ANYBODY || canonical(holder ?? subject ?? '') === canonical(key);

export const endedInLife = (
  { died, lifeEnds }: RuleFact,
  pool: StatementPool,
  find: FindChanged,
): EarlierStatement[] => {
  const findOwn = (key: string, isChanged: IsChanged): EarlierStatement[] => {
    const isItsOwn = isOwn(key, pool);
    return find(key, (fresh, known) => isItsOwn(fresh, known) && isChanged(fresh, known));
  };
  const through = lifeEnds.flatMap(({ of }) => {
    const states = findOwn(of, isLivedThrough);
    // Nothing tells whose child was born where two expect one.
    return of === ANYBODY && states.length > 1 ? [] : states;
  });
  return died === null ? through : [...through, ...findOwn(died, isOfTheDead)];
};
