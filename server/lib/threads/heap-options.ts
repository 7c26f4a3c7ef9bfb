// Sets how V8 grows the heaps of all threads of the process. V8 rejects code that was compiled under other options: threads that
// start afterwards take from the compile cache what earlier ones left there.
import { setFlagsFromString } from 'node:v8';

/** In percent of what lives. */
const GROWTH_PERCENT = 100;

/**
 * V8 puts objects of a kind of which many survived a collection among the old ones from then on. A search holds thousands of
 * objects until it ends, so a collection in its midst would make the garbage of all later searches old.
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring';

/** Before the first thread starts. */
export const setHeapOptions = (): void => {
  setFlagsFromString('--expose-gc');
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setFlagsFromString(NO_PRETENURING);
};
