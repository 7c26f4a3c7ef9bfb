// SQLite has one writer, so nothing is locked.
import type { WriteLocks } from '../engine/engine.ts';

export const sqliteLocks: WriteLocks = {
  needed: false,
  names: async () => undefined,
  rows: async (_, { ns }) => ns,
};
