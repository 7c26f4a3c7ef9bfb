// Parses an input in which null for an optional field is the same as leaving it out.
import type { z } from 'zod';
import { isObject } from './objects.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** The places that a schema refuses; those of a union are in its branches. */
const refusedPaths = (issues: readonly Issue[], before: Path): Path[] =>
  issues.flatMap((issue) => {
    const path = [...before, ...issue.path];
    const inBranches = issue.code === 'invalid_union' ? issue.errors : [];
    return [path, ...inBranches.flatMap((branch) => refusedPaths(branch, path))];
  });

/** A copy without the fields that are null at these places. */
const withoutNullsAt = (value: unknown, paths: readonly Path[]): unknown => {
  if (paths.length === 0 || (!isObject(value) && !Array.isArray(value))) return value;
  const below = Map.groupBy(
    paths.filter(([key]) => key !== undefined),
    ([key]) => String(key),
  );
  const inside = (key: string, one: unknown) =>
    withoutNullsAt(
      one,
      (below.get(key) ?? []).map((path) => path.slice(1)),
    );
  if (Array.isArray(value)) return value.map((one, at) => inside(String(at), one));
  const kept = Object.entries(value).filter(([key, one]) => one !== null || !below.has(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, inside(key, one)]));
};

/** Clients send null for what they leave out; a null that the schema knows keeps its meaning. */
export const parseInput = <Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): z.ZodSafeParseResult<z.output<Schema>> => {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed;
  const withoutNulls = withoutNullsAt(input, refusedPaths(parsed.error.issues, []));
  return schema.safeParse(withoutNulls);
};
