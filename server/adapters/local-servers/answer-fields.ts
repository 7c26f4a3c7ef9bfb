// Fields of answers that servers of models share. Values that do not fit are left out, because anything may answer at a port.
import { z } from 'zod';

/** A name that a terminal can show and a person can type. */
export const shownName = z.string().regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}$/u);

const MOST_MODELS = 500;
const MEGABYTE = 1_000_000;

/** A count, or null where the server says nothing usable. */
export const countOrNull = z.int().positive().max(1_000_000_000).nullable().catch(null).default(null);

export const megabytesOf = (bytes: unknown): number | null =>
  typeof bytes === 'number' && bytes > 0 && Number.isFinite(bytes)
    ? Math.max(1, Math.round(bytes / MEGABYTE))
    : null;

/** The rows of a list that fit; null: it is no list, or a list of other things. */
export const fittingRows = <Row extends z.ZodType>(row: Row, list: unknown): z.output<Row>[] | null => {
  if (!Array.isArray(list)) return null;
  const rows = list.slice(0, MOST_MODELS).flatMap((one) => {
    const parsed = row.safeParse(one);
    return parsed.success ? [parsed.data] : [];
  });
  return rows.length === 0 && list.length > 0 ? null : rows;
};
