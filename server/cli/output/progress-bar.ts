// The progress of an upload, as one line for a terminal.

import { plural } from '../../lib/text/plural.ts';

const CELLS = 20;

const mebibytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);

export const bytesText = (bytes: number): string =>
  bytes < 1024
    ? plural(bytes, 'byte')
    : bytes < 1024 * 1024
      ? `${Math.round(bytes / 1024)} KiB`
      : `${mebibytes(bytes)} MiB`;

/** `[████████────────────] 40 % of 12.3 MiB  report.pdf` */
export const progressBar = (done: number, total: number, what: string): string => {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * CELLS);
  const cells = '█'.repeat(full) + '─'.repeat(CELLS - full);
  return `[${cells}] ${Math.floor(share * 100)} % of ${bytesText(total)}  ${what}`;
};
