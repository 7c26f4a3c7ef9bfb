// Erases embedding spaces that are no longer used, from the vector index and from the store.
import type { FillingContext } from './filled-spaces.ts';

/** The index comes first: while it holds the space, no other space may get the same number. */
const eraseSpace = async ({ deps, signal }: FillingContext, space: number): Promise<void> => {
  try {
    await deps.drop(space);
    await deps.store.forgetSpace(space, signal);
  } catch (error) {
    if (!signal.aborted)
      deps.log.warn(
        { err: error, space },
        'A former embedding space could not be erased; the next start will erase it.',
      );
  }
};

export const eraseObsoleteSpaces = async (context: FillingContext): Promise<void> => {
  for (const record of await context.deps.store.spaces())
    if (record.state === 'retired' && !context.signal.aborted) await eraseSpace(context, record.id);
};
