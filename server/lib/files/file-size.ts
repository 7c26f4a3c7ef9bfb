// The size of a file that may be missing.
import { statSync } from 'node:fs';

/** In bytes; 0: there is no such file. */
export const fileSize = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
