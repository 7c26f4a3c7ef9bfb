// The ways in, as an attacker uses them: an operation with its input, and everything that came back.
import type { Operation } from '../../tools/contract.ts';
import type { Way } from '../spec/promise.ts';

export type Input = Record<string, unknown>;

export interface Heard {
  status: number;
  /** Every byte of the answer, its headers too. */
  text: string;
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

/** Every seventh call takes the path of earlier clients, which leads to the same place. */
const legacy = (path: string, variant: number): string =>
  variant % 7 === 0 ? path.replace(/^\/v3\/documents(?=\/|$)/, '/v3/memories') : path;

const throughRest =
  (url: () => string): Door =>
  async ({ rest }, input, key, variant) => {
    const path = legacy(pathOf(rest.path, input), variant);
    const fields = withoutPathFields(rest.path, input);
    const inQuery = (rest.fields ?? (rest.method === 'GET' ? 'query' : 'body')) === 'query';
    const headers = variant % 2 === 0 ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
    const answer = await fetch(url() + path + (inQuery ? `?${queryOf(fields, variant)}` : ''), {
      method: rest.method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(inQuery ? {} : { body: JSON.stringify(fields) }),
    });
    return { status: answer.status, text: JSON.stringify([...answer.headers]) + (await answer.text()) };
  };

/** A new way in is attacked like the others as soon as it stands here. */
export const doors: Readonly<Record<Way, (url: () => string) => Door>> = { rest: throughRest };
