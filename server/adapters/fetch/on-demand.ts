// Loads the web client with the first address: with what it imports it is a large part of the modules of a start, and most
// documents are texts.
import { emptyFolder } from '../../lib/files/empty-folder.ts';
import type { Web } from './port.ts';
import type { WebOptions } from './web.ts';

export const openWebOnDemand = (options: WebOptions): Web => {
  // Files that an earlier process left are removed now, not with the first address.
  emptyFolder(options.folder);
  let opening: Promise<Web> | null = null;
  const opened = (): Promise<Web> => {
    opening ??= import('./web.ts').then(({ createWeb }) => createWeb(options));
    return opening;
  };
  return {
    open: async (address, signal) => (await opened()).open(address, signal),
    discard: async (file) => (await opened()).discard(file),
    close: async () => (await opening)?.close(),
  };
};
