// The filter tree of lists and searches: AND and OR groups of conditions, as an object or as JSON text.
import { z } from 'zod';
import { flag, isJsonObject, jsonOrUndefined, singleLine } from './primitives.ts';

const maxConditions = 200;
export const maxDepth = 8;
/** Each of these looks through every stored text of its key. */
const maxContains = 20;
const maxContainsLength = 256;

const operators = ['=', '>', '<', '>=', '<='] as const;

const fields = {
  key: singleLine(1, 128).describe('The metadata key; case matters.'),
  value: z.string().max(4096).describe('The value to compare with, as text; also for numbers ("5").'),
  filterType: z
    .enum(['metadata', 'numeric', 'array_contains', 'string_contains'])
    .default('metadata')
    .describe(
      'metadata: the values are equal; string_contains: the stored text contains the value; numeric: the values are compared as numbers; array_contains: the stored list contains the value.',
    ),
  negate: flag.prefault(false).describe('Inverts the condition; documents without the key then match too.'),
  ignoreCase: flag.prefault(false).describe('Ignores upper and lower case.'),
  numericOperator: z
    .enum(operators)
    .default('=')
    .describe('The operator for filterType numeric; ignored otherwise.'),
};

const isNumeric = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));

/** Published clients send `numericOperator` with every condition, so it is ignored unless numbers are compared. */
const condition = z
  .object(fields)
  .refine(({ filterType, value }) => filterType !== 'numeric' || isNumeric(value), {
    path: ['value'],
    error: 'must be a number as text when filterType is numeric',
  })
  .refine(({ filterType, value }) => filterType !== 'string_contains' || value.length <= maxContainsLength, {
    path: ['value'],
    error: `must be at most ${maxContainsLength} characters when filterType is string_contains`,
  })
  .transform((input) =>
    input.filterType === 'numeric' ? input : { ...input, numericOperator: '=' as const },
  );

export type Condition = z.output<typeof condition>;
export type Filter = Condition | { AND: Filter[] } | { OR: Filter[] };

// --- the published description ---------------------------------------------------------------------

const describedCondition = z
  .object(fields)
  .meta({ id: 'FilterCondition', description: 'One comparison with a metadata key.' });

const members = () => z.array(z.union([describedCondition, describedGroup])).optional();

const describedGroup = z
  .object({
    get AND(): z.ZodType {
      return members().describe('All of these conditions must be true.');
    },
    get OR(): z.ZodType {
      return members().describe('At least one of these conditions must be true.');
    },
  })
  .meta({ id: 'FilterGroup', description: 'Exactly one of AND or OR, with conditions or nested groups.' });

// --- parsing ---------------------------------------------------------------------------------------

// Parsed by hand: a failed union reports only "invalid input"; this code names every invalid field.

type Path = PropertyKey[];

interface Reading {
  conditions: number;
  /** Conditions of the type string_contains. */
  contains: number;
  issues: z.core.$ZodIssue[];
}

const addFilterIssue = (reading: Reading, path: Path, message: string): undefined => {
  reading.issues.push({ code: 'custom', path, message, input: undefined });
};

const readCondition = (node: unknown, path: Path, reading: Reading): Filter | undefined => {
  reading.conditions += 1;
  const parsed = condition.safeParse(node);
  if (parsed.success && parsed.data.filterType === 'string_contains') reading.contains += 1;
  if (parsed.success) return parsed.data;
  // The whole issue is kept, because the sentence about it names what would be accepted.
  for (const issue of parsed.error.issues) reading.issues.push({ ...issue, path: [...path, ...issue.path] });
};

const readMembers = (list: unknown, path: Path, depth: number, reading: Reading): Filter[] => {
  if (!Array.isArray(list) || list.length === 0) {
    addFilterIssue(reading, path, 'must be a list of at least one condition');
    return [];
  }
  const read: Filter[] = [];
  for (const [index, member] of list.entries()) {
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
    return addFilterIssue(reading, path, 'must have exactly one of AND or OR');
  }
  if (depth > maxDepth)
    return addFilterIssue(reading, path, `must be nested at most ${maxDepth} levels deep`);
  return all === undefined
    ? { OR: readMembers(any, [...path, 'OR'], depth, reading) }
    : { AND: readMembers(all, [...path, 'AND'], depth, reading) };
};

const readNode = (node: unknown, path: Path, depth: number, reading: Reading): Filter | undefined => {
  if (!isJsonObject(node))
    return addFilterIssue(reading, path, 'must be a condition or a group of conditions');
  return 'AND' in node || 'OR' in node
    ? readGroup(node, path, depth + 1, reading)
    : readCondition(node, path, reading);
};

const readRoot = (value: unknown, context: z.RefinementCtx): Filter => {
  const root = typeof value === 'string' ? jsonOrUndefined(value) : value;
  const reading: Reading = { conditions: 0, contains: 0, issues: [] };
  const filter = isJsonObject(root)
    ? readGroup(root, [], 1, reading)
    : addFilterIssue(reading, [], 'must be an object with AND or OR, or the same as JSON text');
  if (reading.conditions > maxConditions) {
    addFilterIssue(reading, [], `must have at most ${maxConditions} conditions`);
  }
  if (reading.contains > maxContains) {
    addFilterIssue(
      reading,
      [],
      `must have at most ${maxContains} conditions with filterType string_contains`,
    );
  }
  for (const issue of reading.issues) context.addIssue({ ...issue });
  return filter === undefined || reading.issues.length > 0 ? z.NEVER : filter;
};

const limits = `At most ${maxConditions} conditions (${maxContains} of them string_contains, with at most ${maxContainsLength} characters each), ${maxDepth} levels.`;

/** For bodies: an object, or JSON text, which several published clients send. */
export const filters = z
  .preprocess(readRoot, describedGroup)
  .transform((read) => read as Filter)
  .describe(
    `Exactly one of AND or OR, with conditions or nested groups. JSON text is accepted too. ${limits}`,
  );

/** For query parameters: JSON text. */
export const filtersInQuery = z
  .string()
  .transform(readRoot)
  .describe(`A filter tree as JSON text: exactly one of AND or OR. ${limits}`);
