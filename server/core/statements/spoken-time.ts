// The time of a statement, as far as it is known, and the order of two statements.

export interface SpokenTime {
  /** The date that the statement carries itself, in milliseconds; null: none. */
  readonly saidAt: number | null;
  /** The time of receipt. */
  readonly heardAt: number;
}

/**
 * The date of an undated statement is its time of receipt, if it was received alone. In a collection that is imported at once
 * the times of receipt give only an order, so within this time the order of receipt alone decides between dated and undated statements.
 */
const TOGETHER_MS = 3_600_000;

const cameTogether = (one: SpokenTime, other: SpokenTime): boolean =>
  Math.abs(one.heardAt - other.heardAt) <= TOGETHER_MS;

export const wasSaidBefore = (one: SpokenTime, other: SpokenTime): boolean => {
  if (one.saidAt !== null && other.saidAt !== null && one.saidAt !== other.saidAt)
    return one.saidAt < other.saidAt;
  const alike = (one.saidAt === null) === (other.saidAt === null);
  if (alike || cameTogether(one, other)) return one.heardAt < other.heardAt;
  return (one.saidAt ?? one.heardAt) < (other.saidAt ?? other.heardAt);
};

/** The date for the comparison with a statement received at `heardAt`; null: only the order of receipt decides. */
export const dateAgainst = (said: SpokenTime, heardAt: number): number | null => {
  if (said.saidAt !== null) return said.saidAt;
  return cameTogether(said, { saidAt: null, heardAt }) ? null : said.heardAt;
};
