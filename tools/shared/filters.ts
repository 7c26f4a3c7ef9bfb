// The filter tree of lists and searches: AND and OR groups of conditions, as an object or as JSON text.
import { z } from 'zod';
import { flag, isObject, jsonOrUndefined, line } from './primitives.ts';

export const maxConditions = 200;
export const maxDepth = 8;

const operators = ['=', '>', '<', '>=', '<='] as const;

const fields = {
  key: line(1, 128).describe('The metadata key; case matters.'),
  value: z.string().max(4096).describe('What to compare with; text, numbers too ("5").'),
  filterType: z
    .enum(['metadata', 'numeric', 'array_contains', 'string_contains'])
    .default('metadata')
    .describe(
      'metadata: equal; string_contains: holds the text; numeric: compared as a number; array_contains: the list holds it.',
    ),
  negate: flag
    .prefault(false)
    .describe('Turns the condition round; documents without the key then match as well.'),
  ignoreCase: flag.prefault(false).describe('Compares text without regard to case.'),
  numericOperator: z
    .enum(operators)
    .default('=')
    .describe('How to compare; read only when filterType is numeric.'),
};

const isNumeric = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));

/** Published clients send `numericOperator` with every condition, so it counts only where numbers are compared. */
const condition = z
  .object(fields)
  .refine((given) => given.filterType !== 'numeric' || isNumeric(given.value), {
    path: ['value'],
    error: 'must be a number as text when filterType is numeric',
  })
  .transform((given) =>
    given.filterType === 'numeric' ? given : { ...given, numericOperator: '=' as const },
  );

export type Condition = z.output<typeof condition>;
export type Filter = Condition | { AND: Filter[] } | { OR: Filter[] };

// --- what the caller reads -------------------------------------------------------------------------

const describedCondition = z
  .object(fields)
  .meta({ id: 'FilterCondition', description: 'One comparison with a metadata key.' });

const members = () => z.array(z.union([describedCondition, describedGroup])).optional();

const describedGroup = z
  .object({
    get AND(): z.ZodType {
      return members().describe('All of these must hold.');
    },
    get OR(): z.ZodType {
      return members().describe('One of these must hold.');
    },
  })
  .meta({ id: 'FilterGroup', description: 'Exactly one of AND or OR, with conditions or further groups.' });

// --- how it is read --------------------------------------------------------------------------------

// By hand, because a union that fails can only say "invalid input": here every bad field is named.

type Path = PropertyKey[];

interface Reading {
  conditions: number;
  issues: { path: Path; message: string }[];
}

const refuse = (reading: Reading, path: Path, message: string): undefined => {
  reading.issues.push({ path, message });
};

const readCondition = (node: unknown, path: Path, reading: Reading): Filter | undefined => {
  reading.conditions += 1;
  const parsed = condition.safeParse(node);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) refuse(reading, [...path, ...issue.path], issue.message);
};

const readMembers = (given: unknown, path: Path, depth: number, reading: Reading): Filter[] => {
  if (!Array.isArray(given) || given.length === 0) {
    refuse(reading, path, 'must be a list of at least one condition');
    return [];
  }
  const read: Filter[] = [];
  for (const [index, member] of given.entries()) {
    if (reading.conditions > maxConditions) break;
    const node = readNode(member, [...path, index], depth, reading);
    if (node !== undefined) read.push(node);
  }
  return read;
};

const readGroup = (
  group: Record<string, unknown>,
  path: Path,
  depth: number,
  reading: Reading,
): Filter | undefined => {
  const { AND: all, OR: any } = group;
  if ((all === undefined) === (any === undefined)) {
    return refuse(reading, path, 'must hold exactly one of AND or OR');
  }
  if (depth > maxDepth) return refuse(reading, path, `must be nested at most ${maxDepth} levels deep`);
  return all === undefined
    ? { OR: readMembers(any, [...path, 'OR'], depth, reading) }
    : { AND: readMembers(all, [...path, 'AND'], depth, reading) };
};

const readNode = (node: unknown, path: Path, depth: number, reading: Reading): Filter | undefined => {
  if (!isObject(node)) return refuse(reading, path, 'must be a condition or a group of conditions');
  return 'AND' in node || 'OR' in node
    ? readGroup(node, path, depth + 1, reading)
    : readCondition(node, path, reading);
};

const readRoot = (value: unknown, context: z.RefinementCtx): Filter => {
  const root = typeof value === 'string' ? jsonOrUndefined(value) : value;
  const reading: Reading = { conditions: 0, issues: [] };
  const filter = isObject(root)
    ? readGroup(root, [], 1, reading)
    : refuse(reading, [], 'must be an object with AND or OR, or the same as JSON text');
  if (reading.conditions > maxConditions) {
    refuse(reading, [], `must hold at most ${maxConditions} conditions`);
  }
  for (const issue of reading.issues) context.addIssue({ code: 'custom', ...issue });
  return filter === undefined || reading.issues.length > 0 ? z.NEVER : filter;
};

const limits = `At most ${maxConditions} conditions, ${maxDepth} levels.`;

/** For bodies: an object, or JSON text as several published clients send it. */
export const filters = z
  .preprocess(readRoot, describedGroup)
  .transform((read) => read as Filter)
  .describe(
    `Exactly one of AND or OR, with conditions or further groups; JSON text is read as well. ${limits}`,
  );

/** For queries. */
export const filtersInQuery = z
  .string()
  .transform(readRoot)
  .describe(`A filter tree as JSON text: exactly one of AND or OR. ${limits}`);
