// Lists of any length as one parameter, so that a statement stays the same and stays prepared.
import { type RawBuilder, sql } from '#kysely';
import { Placeholder } from './template.ts';

/** A list; its JSON; or the place where a template puts that. */
type Listed<T> = readonly T[] | string | Placeholder;

const parameter = (list: Listed<unknown>): unknown =>
  list instanceof Placeholder || typeof list === 'string' ? list : JSON.stringify(list);

/** Typed, because an empty list has no type of its own. */
export const numberList = (list: Listed<number>): RawBuilder<number> =>
  sql`(select value from number_list(${parameter(list)}))`;

export const textList = (list: Listed<string>): RawBuilder<string> =>
  sql`(select value from text_list(${parameter(list)}))`;

/** All numbers of a group as one list in JSON: a row for each would take longer than everything else. */
export const groupedNumbers = (number: RawBuilder<unknown>): RawBuilder<string> => sql`group_list(${number})`;
