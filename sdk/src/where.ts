// Metadata filters with types: `where.and(where.eq('kind', 'note'), where.gt('year', 2020))`.
import type { FilterCondition, FilterGroup } from './types.generated.ts';

export type MetadataValue = string | number | boolean;
export type MetadataShape = Readonly<Record<string, MetadataValue | readonly string[]>>;

export type Filter = FilterCondition | FilterGroup;

type KeysOf<Shape, Value> = {
  [Key in keyof Shape & string]: Extract<Shape[Key], Value> extends never ? never : Key;
}[keyof Shape & string];

export interface TextOptions {
  ignoreCase?: boolean;
}

/** Conditions on metadata of a known shape. A search needs a group: `and(…)` or `or(…)`. */
export interface Where<Shape extends MetadataShape> {
  eq<Key extends KeysOf<Shape, MetadataValue>>(
    key: Key,
    value: Shape[Key] & MetadataValue,
    options?: TextOptions,
  ): FilterCondition;
  gt(key: KeysOf<Shape, number>, value: number): FilterCondition;
  gte(key: KeysOf<Shape, number>, value: number): FilterCondition;
  lt(key: KeysOf<Shape, number>, value: number): FilterCondition;
  lte(key: KeysOf<Shape, number>, value: number): FilterCondition;
  /** The stored text contains this text. */
  contains(key: KeysOf<Shape, string>, text: string, options?: TextOptions): FilterCondition;
  /** The stored list contains this entry. */
  includes(key: keyof Shape & string, entry: string): FilterCondition;
  /** The inverse condition; documents without the key match too. */
  not(condition: FilterCondition): FilterCondition;
  and(...filters: [Filter, ...Filter[]]): FilterGroup;
  or(...filters: [Filter, ...Filter[]]): FilterGroup;
}

type Comparison = NonNullable<FilterCondition['numericOperator']>;

const numeric = (key: string, numericOperator: Comparison, value: number): FilterCondition => ({
  key,
  filterType: 'numeric',
  numericOperator,
  value: String(value),
});

/** For metadata of one shape: `const where = filtersFor<{ kind: 'note' | 'mail'; year: number }>()`. */
export const filtersFor = <Shape extends MetadataShape>(): Where<Shape> => ({
  eq: (key, value, options = {}) =>
    typeof value === 'number'
      ? numeric(key, '=', value)
      : { key, filterType: 'metadata', value: String(value), ...options },
  gt: (key, value) => numeric(key, '>', value),
  gte: (key, value) => numeric(key, '>=', value),
  lt: (key, value) => numeric(key, '<', value),
  lte: (key, value) => numeric(key, '<=', value),
  contains: (key, value, options = {}) => ({ key, filterType: 'string_contains', value, ...options }),
  includes: (key, value) => ({ key, filterType: 'array_contains', value }),
  not: (condition) => ({ ...condition, negate: condition.negate !== true }),
  and: (...filters) => ({ AND: filters }),
  or: (...filters) => ({ OR: filters }),
});

/** For metadata of any shape. */
export const where: Where<MetadataShape> = filtersFor();
