// A row of `npm run test:connections`: what must hold of connections, measured, with its figures.

export interface Figure {
  readonly what: string;
  readonly value: string;
  /** The bound in words; missing: the figure is for orientation. */
  readonly bound?: string;
  readonly holds: boolean;
  /** It is a time, which a machine that does other work makes longer. */
  readonly isTime?: true;
}

export interface Sizes {
  readonly files: number;
  readonly folders: number;
  /** Files that are removed upstream. */
  readonly removed: number;
  /** The number of kills of the server. */
  readonly kills: number;
  /** False: times mean nothing, so what only measures them is left out. */
  readonly measured: boolean;
  /** The seconds during which a source refuses. */
  readonly throttledSeconds: number;
}

export type Say = (line: string) => void;

export interface ConnectionRow {
  readonly name: string;
  /** The numbers of the requirements in `requirements.ts`. */
  readonly requirements: readonly number[];
  run(sizes: Sizes, say: Say): Promise<Figure[]>;
}

const text = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });

export const atMost = (what: string, value: number, most: number): Figure => ({
  ...{ what, value: text(value), bound: `≤ ${text(most)}`, holds: value <= most },
});

export const exactly = (what: string, value: number | string, wanted: number | string): Figure => ({
  ...{ what, value: typeof value === 'number' ? text(value) : value, holds: value === wanted },
  bound: typeof wanted === 'number' ? text(wanted) : wanted,
});

export const seen = (what: string, value: number | string): Figure => ({
  ...{ what, value: typeof value === 'number' ? text(value) : value, holds: true },
});

export const timeAtMost = (what: string, value: number, most: number): Figure => ({
  ...atMost(what, value, most),
  isTime: true,
});
