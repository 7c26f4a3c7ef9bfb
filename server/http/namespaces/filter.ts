// Filter expressions of the namespace API, as the filter tree of the operations.
import { z } from 'zod';
import { type Filter, filters } from '../../../tools/shared/filters.ts';
import { isJsonObject } from '../../../tools/shared/primitives.ts';

const field = z
  .string()
  .min(1)
  .regex(/^[\w.-]+$/, { error: 'must consist of letters, digits, _, . and -' });
const text = { field, value: z.string(), caseSensitive: z.boolean().default(true) };
const plain = z.union([z.string(), z.number(), z.boolean()], {
  error: 'must be text, a number or a boolean',
});

interface Compared {
  readonly field: string;
  readonly value: string | number | boolean;
  readonly caseSensitive?: boolean;
}

/** One predicate as a condition of the filter tree. */
interface Predicate {
  readonly schema: z.ZodType<Compared>;
  condition(compared: Compared): Record<string, unknown>;
}

const equality = (negate: boolean): Predicate => ({
  schema: z.object({ ...text, value: plain }),
  condition: ({ value }) => ({ filterType: typeof value === 'number' ? 'numeric' : 'metadata', negate }),
});

const numeric = (numericOperator: string): Predicate => ({
  schema: z.object({ field, value: z.number() }),
  condition: () => ({ filterType: 'numeric', numericOperator }),
});

const substring = (negate: boolean): Predicate => ({
  schema: z.object(text),
  condition: () => ({ filterType: 'string_contains', negate }),
});

const member = (negate: boolean): Predicate => ({
  schema: z.object({ field, value: z.string() }),
  condition: () => ({ filterType: 'array_contains', negate }),
});

const PREDICATES = new Map<unknown, Predicate>([
  ['eq', equality(false)],
  ['neq', equality(true)],
  ['gt', numeric('>')],
  ['gte', numeric('>=')],
  ['lt', numeric('<')],
  ['lte', numeric('<=')],
  ['contains', substring(false)],
  ['notContains', substring(true)],
  ['arrayContains', member(false)],
  ['arrayNotContains', member(true)],
]);

const OPERATORS = ['and', 'or', ...PREDICATES.keys()].join(', ');

type Path = readonly PropertyKey[];
type Issues = { path: PropertyKey[]; message: string }[];

const readPredicate = (node: object, predicate: Predicate, path: Path, issues: Issues): unknown => {
  const parsed = predicate.schema.safeParse(node);
  if (parsed.success) {
    const { field: key, value, caseSensitive = true } = parsed.data;
    return { key, value: String(value), ignoreCase: !caseSensitive, ...predicate.condition(parsed.data) };
  }
  for (const issue of parsed.error.issues)
    issues.push({ path: [...path, ...issue.path], message: issue.message });
  return undefined;
};

const readExpression = (node: unknown, path: Path, issues: Issues): unknown => {
  const refuse = (message: string, at: Path = []) => void issues.push({ path: [...path, ...at], message });
  if (!isJsonObject(node)) return refuse('must be an object with an operator');
  const { operator, operands } = node;
  const predicate = PREDICATES.get(operator);
  if (predicate !== undefined) return readPredicate(node, predicate, path, issues);
  if (operator !== 'and' && operator !== 'or') return refuse(`must be one of ${OPERATORS}`, ['operator']);
  if (!Array.isArray(operands) || operands.length === 0)
    return refuse('must be a list of at least one expression', ['operands']);
  const read = operands.map((one, at) => readExpression(one, [...path, 'operands', at], issues));
  return operator === 'and' ? { AND: read } : { OR: read };
};

/** The words of the filter tree, in the words of the caller. */
const WORDS: Readonly<Record<string, string>> = { AND: 'operands', OR: 'operands', key: 'field' };

const isGroup = (tree: unknown): boolean => isJsonObject(tree) && ('AND' in tree || 'OR' in tree);

export const filter = z
  .unknown()
  .transform((value, context): Filter => {
    const issues: Issues = [];
    const tree = readExpression(value, [], issues);
    const isWhole = isGroup(tree);
    // The limits of a filter tree hold here too.
    const parsed = issues.length > 0 ? null : filters.safeParse(isWhole ? tree : { AND: [tree] });
    for (const { path, message } of parsed?.error?.issues ?? []) {
      const place = path.map((part) => WORDS[String(part)] ?? part);
      issues.push({ path: isWhole ? place : place.slice(2), message });
    }
    for (const issue of issues) context.addIssue({ code: 'custom', ...issue });
    return parsed?.success ? parsed.data : z.NEVER;
  })
  .optional();
