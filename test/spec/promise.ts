// A promise is one clause of the specification or of the published contract, as a row of data.

/** A way into the service. A test body runs once for each way that its promises name. */
export const ways = ['rest', 'mcp'] as const;
export type Way = (typeof ways)[number];

/**
 * The place of the clause. `ours` marks a choice of our own that nobody published;
 * those rows become docs/open-details.md.
 */
export type Source =
  | `spec §${string}`
  | `contract op ${string}`
  | `contract §${string}`
  | 'contract 0a'
  | 'contract 0a (ours)'
  | 'ours';

export interface PromiseRow {
  /** `group:thing:aspect`, stable: tests cite it. */
  readonly id: `${string}:${string}:${string}`;
  readonly source: Source;
  readonly says: string;
  readonly ways: readonly [Way, ...Way[]];
}
