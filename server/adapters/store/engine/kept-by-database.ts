// One value in memory for each database, whatever the scope of the view that a caller has of it.
import type { Db } from '../tables/tables.ts';
import { everywhere } from './engine.ts';

/** A database that may have lost what it told starts anew: everything that is kept belongs to the time after. */
const presentTimes = new WeakMap<Db, object>();

/** Work that is under way may still write to what it began with, which nobody reads any more. */
export const forgetKept = (db: Db): void => void presentTimes.set(everywhere(db), {});

export const keptByDatabase = <Kept extends object>(create: () => Kept): ((db: Db) => Kept) => {
  const kept = new WeakMap<object, Kept>();
  return (db) => {
    const whole = everywhere(db);
    const time = presentTimes.get(whole) ?? whole;
    const known = kept.get(time) ?? create();
    kept.set(time, known);
    return known;
  };
};
