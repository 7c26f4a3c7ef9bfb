// A call that a key bound to container tags may not make.
import { CommandFailure } from './failure.ts';

/** Null: the key is bound to container tags and may not read data of the whole organisation. */
export const unlessForbidden = async <T>(call: Promise<T>): Promise<T | null> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CommandFailure && error.facts.status === 403) return null;
    throw error;
  }
};
