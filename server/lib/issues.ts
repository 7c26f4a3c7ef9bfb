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

/** A union fails once per branch: the caller most likely meant the branch that got furthest. */
const meant = (branches: readonly (readonly Issue[])[]): readonly Issue[] => {
  const depth = (issues: readonly Issue[]) => Math.max(0, ...issues.map((issue) => issue.path.length));
  return [...branches].sort((a, b) => depth(b) - depth(a) || a.length - b.length)[0] ?? [];
};

const sentence = ({ message }: Issue): string => {
  if (/^Invalid input: expected .*, received undefined$/.test(message)) return 'is required';
  return message.replace(/^Invalid (input|option): /, '');
};

const problem = (path: Path, text: string): string =>
  path.length === 0 ? text : `${pathText(path)}: ${text}`;

function* problemsOf(issue: Issue, above: Path): Generator<string> {
  const path = [...above, ...issue.path];
  const inner = issue.code === 'invalid_union' ? meant(issue.errors) : [];
  if (inner.some(({ path: deeper }) => deeper.length > 0)) {
    for (const nested of inner) yield* problemsOf(nested, path);
  } else if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) yield problem([...path, key], 'is not a known field');
  } else {
    yield problem(path, sentence(issue));
  }
}

/** `content: is required; metadata.a: must be text` */
export const describeIssues = (issues: readonly Issue[]): string => {
  const all = [...new Set(issues.flatMap((issue) => [...problemsOf(issue, [])]))];
  const more = all.length - MAX_PROBLEMS;
  return more > 0 ? `${all.slice(0, MAX_PROBLEMS).join('; ')}; and ${more} more` : all.join('; ');
};
