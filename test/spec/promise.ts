// What a promise is: one clause of the specification or of the published contract, as a row of data.

/** A way into the service. A test body runs once for each way that its promises name. */
export const ways = ['rest', 'mcp'] as const;
export type Way = (typeof ways)[number];

/** Work that is still to come; until then its promises may not be cited as kept. */
export type Later =
  | 'memories'
  | 'profile'
  | 'ranking'
  | 'connections'
  | 'container tags'
  | 'settings'
  | 'teams'
  | 'analytics'
  | 'sign-in'
  | 'mail';

/**
 * Where the clause stands. `ours` marks what nobody published and we settled;
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
  readonly later?: Later;
}
