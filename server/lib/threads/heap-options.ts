// How V8 grows the heaps of all threads of the process. It rejects code that was compiled under other options: threads that
// start afterwards take from the compile cache what earlier ones left there.
import { setFlagsFromString } from 'node:v8';

/**
 * Before the first thread starts. The memory of an idle thread is returned by `gc`; a busy heap grows to twice of what lives;
 * and V8 puts no objects of a kind among the old ones because many survived one collection, as those of a running search do.
 */
export const setHeapOptions = (): void => {
  setFlagsFromString('--expose-gc');
  setFlagsFromString('--heap-growing-percent=100');
  setFlagsFromString('--no-allocation-site-pretenuring');
};
