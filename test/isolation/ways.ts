// The ways in for an attacker: each calls an operation with an input, and returns the whole answer.
import type { Operation } from '../../tools/operation.ts';
import type { Way } from '../spec/promise.ts';

export type Input = Record<string, unknown>;

export interface Heard {
  status: number;
  /** Every byte of the answer, its headers too. */
  text: string;
  body: string;
}

/** `variant` chooses among the spellings that a way has for the same call. */
export type Door = (operation: Operation, input: Input, key: string, variant: number) => Promise<Heard>;

/** The spellings of a list in a query. */
const listSpellings = [
  (name: string, list: readonly string[]) => list.map((one): [string, string] => [name, one]),
  (name: string, list: readonly string[]) => list.map((one): [string, string] => [`${name}[]`, one]),
  (name: string, list: readonly string[]): [string, string][] => [[name, list.join(',')]],
  (name: string, list: readonly string[]): [string, string][] => [[name, JSON.stringify(list)]],
] as const;

const spelled = (name: string, value: unknown, variant: number): [string, string][] => {
  const spell = listSpellings[variant % listSpellings.length] ?? listSpellings[0];
  if (Array.isArray(value)) return spell(name, value.map(String));
  return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
};

const pathOf = (template: string, input: Input): string =>
  template.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(input[name])));

const withoutPathFields = (template: string, input: Input): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !template.includes(`{${name}}`)));

const queryOf = (fields: Input, variant: number): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => spelled(name, value, variant)),
  ).toString();

/** A comma separates nothing here. An object may also be written as a part for each of its keys. */
const parts = (name: string, value: unknown, variant: number): [string, string][] => {
  if (Array.isArray(value) && value.some((one) => typeof one === 'object'))
    return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) return spelled(name, value, variant % 2 === 0 ? 0 : 3);
  if (typeof value !== 'object' || value === null || variant % 2 === 0) return spelled(name, value, variant);
  return Object.entries(value).map(([key, inner]) => [`${name}[${key}]`, String(inner)]);
};

const formOf = ({ file, ...fields }: Input, variant: number): FormData => {
  const form = new FormData();
  const named = Object.entries(fields).flatMap(([name, value]) => parts(name, value, variant));
  for (const [name, value] of named) form.append(name, value);
  form.append('file', new Blob([String(file)]), 'codes.txt');
  return form;
};

const written = (
  fields: Input,
  where: 'query' | 'body' | 'form' | 'both',
  variant: number,
): { query: string; headers: Record<string, string>; body?: string | FormData } => {
  if (where === 'form') return { query: '', headers: {}, body: formOf(fields, variant) };
  const headers = { 'content-type': 'application/json' };
  return where === 'query'
    ? { query: `?${queryOf(fields, variant)}`, headers }
    : { query: '', headers, body: JSON.stringify(fields) };
};

/** Every seventh call takes the path of earlier clients, which leads to the same place. */
const legacy = (path: string, variant: number): string =>
  variant % 7 === 0 ? path.replace(/^\/v3\/documents(?=\/|$)/, '/v3/memories') : path;

/** The session of a browser takes the place of a key. */
const BROWSER = 'browser ';
export const browserKey = (cookie: string): string => `${BROWSER}${cookie}`;

/** The name of the cookie holds the port, which changes when the server starts again. */
const credentialsOf = (key: string, url: string, variant: number): Record<string, string> => {
  if (key.startsWith(BROWSER)) {
    const cookie = `memoir_session_${new URL(url).port}=${key.slice(BROWSER.length)}`;
    return { cookie, 'sec-fetch-site': 'same-origin' };
  }
  return variant % 2 === 0 ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
};

const throughRest =
  (url: () => string): Door =>
  async ({ rest }, input, key, variant) => {
    const path = legacy(pathOf(rest.path, input), variant);
    const fields = withoutPathFields(rest.path, input);
    const where = rest.fields ?? (rest.method === 'GET' ? 'query' : 'body');
    const { query, headers, ...body } = written(fields, where, variant);
    const answer = await fetch(url() + path + query, {
      method: rest.method,
      headers: { ...headers, ...credentialsOf(key, url(), variant) },
      ...body,
    });
    const said = await answer.text();
    return { status: answer.status, text: JSON.stringify([...answer.headers]) + said, body: said };
  };

/** Agents have tools in place of operations, with questions of their own: agents.test.ts attacks those. */
const throughTools = (): Door => async () => {
  throw new Error('Operations are not attacked through tools; see agents.test.ts.');
};

/** A new way in is attacked like the others as soon as it is in this list. */
export const doors: Readonly<Record<Way, (url: () => string) => Door>> = {
  rest: throughRest,
  mcp: throughTools,
};
