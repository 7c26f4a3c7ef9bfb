// One value in memory for each database, whatever the scope of the view that a caller has of it.
import type { Db } from '../tables/tables.ts';
import { everywhere } from './engine.ts';

export const keptByDatabase = <Kept extends object>(create: () => Kept): ((db: Db) => Kept) => {
  const kept = new WeakMap<Db, Kept>();
  return (db) => {
    const whole = everywhere(db);
    const known = kept.get(whole) ?? create();
    kept.set(whole, known);
    return known;
  };
};
