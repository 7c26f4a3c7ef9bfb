// Waiting for a part that the start can do without.
import type { Chroma } from './adapters/vectors/chroma.ts';
import type { Log } from './log.ts';

/** How long the start waits for Chroma: without it everything works, wide searches only slower. */
const CHROMA_PATIENCE_MS = 3000;

export const waitForChroma = async (chroma: Pick<Chroma, 'ready'>, log: Log): Promise<void> => {
  try {
    await chroma.ready(AbortSignal.timeout(CHROMA_PATIENCE_MS));
  } catch (error) {
    log.warn({ err: error }, 'Chroma is not ready yet; searches compare exactly until it is.');
  }
};
