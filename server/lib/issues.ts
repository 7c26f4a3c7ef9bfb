// Describes the errors of an input, in one sentence that names every bad field.
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Longer than anybody would read; a batch of 600 items stays below. */
const MAX_PROBLEMS = 1_000;

/** `documents[3].metadata.a` */
export const pathText = (path: Path): string => {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text;
};

/** A union fails once per branch: the caller most likely meant the branch that got furthest, or that takes this kind of value. */
const meant = (branches: readonly (readonly Issue[])[]): readonly Issue[] => {
  const depth = (issues: readonly Issue[]) => Math.max(0, ...issues.map((issue) => issue.path.length));
  const fits = (issues: readonly Issue[]) => Number(issues.every((issue) => acceptedBy(issue) === null));
  return (
    [...branches].sort((a, b) => depth(b) - depth(a) || fits(b) - fits(a) || a.length - b.length)[0] ?? []
  );
};

/** Says what a value should be; a schema may give better words with `error`. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const RECEIVED: Readonly<Record<string, string>> = { ...TYPES, boolean: 'a truth value' };

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'an ISO-8601 date and time in UTC, such as 2026-01-31T09:30:00Z',
  date: 'an ISO-8601 date, such as 2026-01-31',
};

const counted = (count: number, thing: string): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? thing : `${thing}s`}`;

const THINGS: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

const tooSmall = ({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string => {
  const thing = THINGS[origin];
  if (thing === undefined)
    return `must be ${inclusive ? 'at least' : 'more than'} ${minimum.toLocaleString('en-US')}`;
  return minimum === 1 ? 'must not be empty' : `must have at least ${counted(Number(minimum), thing)}`;
};

const tooBig = ({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): string => {
  const thing = THINGS[origin];
  if (thing === undefined)
    return `must be ${inclusive ? 'at most' : 'less than'} ${maximum.toLocaleString('en-US')}`;
  return `must have at most ${counted(Number(maximum), thing)}`;
};

/** The accepted kind of value, as in "must be …"; null: the issue is not about the kind. */
const acceptedBy = (issue: Issue): string | null => {
  if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_format') return FORMATS[issue.format] ?? null;
  if (issue.code !== 'invalid_value') return null;
  const values = issue.values.map((value) => JSON.stringify(value)).join(', ');
  return issue.values.length === 1 ? values : `one of ${values}`;
};

/** An issue does not hold the value, but its standard message ends with the type of it. */
const receivedBy = ({ code, message }: Issue, expected: string): string => {
  const type = code === 'invalid_type' ? /, received (\w+)$/.exec(message)?.[1] : undefined;
  if (type === undefined) return '';
  const received = RECEIVED[type] ?? type;
  return received === expected || (expected === TYPES.int && type === 'number') ? '' : `, not ${received}`;
};

/** The messages that zod writes itself; any other is the sentence of a schema. */
const isStandard = ({ message }: Issue): boolean => /^(Invalid|Too small|Too big)\b/.test(message);

const issueSentence = (issue: Issue): string => {
  if (!isStandard(issue)) return issue.message;
  if (/, received undefined$/.test(issue.message)) return 'is required';
  if (issue.code === 'too_small') return tooSmall(issue);
  if (issue.code === 'too_big') return tooBig(issue);
  if (issue.code === 'invalid_key')
    return `is no valid key: it ${issue.issues.map((inner) => issueSentence(inner)).join(', and ')}`;
  const accepted = acceptedBy(issue);
  return accepted === null
    ? 'is not valid; GET /v3/openapi describes what is'
    : `must be ${accepted}${receivedBy(issue, accepted)}`;
};

/** No branch of the union takes a value of this kind. */
const noBranch = (branches: readonly (readonly Issue[])[]): string => {
  const firsts = branches.flatMap(([first]) => (first === undefined ? [] : [first]));
  const accepted = [...new Set(firsts.flatMap((first) => acceptedBy(first) ?? []))].join(' or ');
  const given = firsts.find(({ code }) => code === 'invalid_type') ?? firsts[0];
  if (given === undefined || issueSentence(given) === 'is required') return 'is required';
  return `must be ${accepted}${receivedBy(given, accepted)}`;
};

const problem = (path: Path, text: string): string =>
  path.length === 0 ? text : `${pathText(path)}: ${text}`;

function* problemsOf(issue: Issue, above: Path): Generator<string> {
  const path = [...above, ...issue.path];
  const branches = issue.code === 'invalid_union' ? issue.errors : [];
  const inner = meant(branches);
  const isDeeper = inner.some(({ path: deeper }) => deeper.length > 0);
  if (isDeeper || (inner.length > 0 && isStandard(issue) && acceptedBy(inner[0] as Issue) === null)) {
    for (const nested of inner) yield* problemsOf(nested, path);
  } else if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) yield problem([...path, key], 'is not a known field');
  } else if (branches.length > 0 && isStandard(issue)) {
    yield problem(path, noBranch(branches));
  } else {
    yield problem(path, issueSentence(issue));
  }
}

/** `content: is required; metadata.a: must be text` */
export const describeIssues = (issues: readonly Issue[]): string => {
  const all = [...new Set(issues.flatMap((issue) => [...problemsOf(issue, [])]))];
  const more = all.length - MAX_PROBLEMS;
  return more > 0 ? `${all.slice(0, MAX_PROBLEMS).join('; ')}; and ${more} more` : all.join('; ');
};
