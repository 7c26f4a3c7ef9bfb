// When something was said, as far as anybody knows, and which of two things was said first.

export interface Said {
  /** The date that it carries itself, in milliseconds; null: it carries none. */
  readonly saidAt: number | null;
  /** When it was received. */
  readonly heardAt: number;
}

/**
 * What has no date was said when it was received, if it was received by itself. A collection that is brought in at once
 * tells nothing by its arrival but its order, so within this time arrival alone decides between the dated and the undated.
 */
const TOGETHER_MS = 3_600_000;

const cameTogether = (one: Said, other: Said): boolean =>
  Math.abs(one.heardAt - other.heardAt) <= TOGETHER_MS;

export function wasSaidBefore(one: Said, other: Said): boolean {
  if (one.saidAt !== null && other.saidAt !== null && one.saidAt !== other.saidAt)
    return one.saidAt < other.saidAt;
  const alike = (one.saidAt === null) === (other.saidAt === null);
  if (alike || cameTogether(one, other)) return one.heardAt < other.heardAt;
  return (one.saidAt ?? one.heardAt) < (other.saidAt ?? other.heardAt);
}

/** The date that counts for it against what was received at `heardAt`; null: only the order of arrival does. */
export const dateAgainst = (said: Said, heardAt: number): number | null => {
  if (said.saidAt !== null) return said.saidAt;
  return cameTogether(said, { saidAt: null, heardAt }) ? null : said.heardAt;
};
