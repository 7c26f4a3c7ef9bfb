// Tests of the input of filter trees.
import { describe, expect, it, test } from 'vitest';
import { type Filter, filters, filtersInQuery } from '../../tools/shared/filters.ts';
import { problems } from './judge.ts';

const plain = {
  filterType: 'metadata',
  negate: false,
  ignoreCase: false,
  numericOperator: '=',
} as const;

const kind = { key: 'kind', value: 'note' };
const nest = (levels: number): object =>
  levels === 1 ? { AND: [kind] } : { AND: [levels % 2 === 0 ? { OR: [kind] } : kind, nest(levels - 1)] };

describe('a filter tree', () => {
  const readings: [unknown, Filter][] = [
    [{ AND: [kind] }, { AND: [{ ...plain, ...kind }] }],
    [
      { OR: [kind, { AND: [{ ...kind, negate: true }] }] },
      { OR: [{ ...plain, ...kind }, { AND: [{ ...plain, ...kind, negate: true }] }] },
    ],
    [
      { AND: [{ ...kind, negate: 'true', ignoreCase: 'false' }] },
      { AND: [{ ...plain, ...kind, negate: true }] },
    ],
    // Published clients send the numeric operator with every condition.
    [{ AND: [{ ...kind, numericOperator: '>' }] }, { AND: [{ ...plain, ...kind }] }],
    [
      { AND: [{ key: 'n', value: ' 5.0', filterType: 'numeric', numericOperator: '>=' }] },
      { AND: [{ ...plain, key: 'n', value: ' 5.0', filterType: 'numeric', numericOperator: '>=' }] },
    ],
    [
      { AND: [{ key: 't', value: '', filterType: 'string_contains', ignoreCase: true, extra: 1 }] },
      { AND: [{ ...plain, key: 't', value: '', filterType: 'string_contains', ignoreCase: true }] },
    ],
    [
      { OR: [{ key: 't', value: 'a', filterType: 'array_contains' }] },
      { OR: [{ ...plain, key: 't', value: 'a', filterType: 'array_contains' }] },
    ],
  ];

  test.each(readings)('is read from %j', (given, filter) => {
    expect(filters.parse(given)).toEqual(filter);
    expect(filters.parse(JSON.stringify(given))).toEqual(filter);
    expect(filtersInQuery.parse(JSON.stringify(given))).toEqual(filter);
  });

  test.each([
    [kind, 'exactly one of AND or OR'],
    [{}, 'exactly one of AND or OR'],
    [{ AND: [kind], OR: [kind] }, 'exactly one of AND or OR'],
    [[kind], 'an object with AND or OR'],
    ['{"AND":[', 'an object with AND or OR'],
    ['"AND"', 'an object with AND or OR'],
    [7, 'an object with AND or OR'],
    [{ AND: [] }, 'AND: must be a list of at least one condition'],
    [{ AND: kind }, 'AND: must be a list of at least one condition'],
    [{ AND: [7] }, 'AND[0]: must be a condition or a group'],
    [{ AND: [{ key: 'a' }] }, 'AND[0].value: is required'],
    [{ AND: [{ key: '', value: 'x' }] }, 'AND[0].key'],
    [{ AND: [{ key: 'a', value: 5 }] }, 'AND[0].value'],
    [{ AND: [{ ...kind, filterType: 'regex' }] }, 'AND[0].filterType'],
    [{ AND: [{ ...kind, negate: 'yes' }] }, 'AND[0].negate: must be true or false'],
    [{ AND: [{ ...kind, numericOperator: '!=' }] }, 'AND[0].numericOperator'],
    [{ AND: [{ key: 'n', value: 'five', filterType: 'numeric' }] }, 'AND[0].value: must be a number'],
    [{ AND: [{ key: 'n', value: ' ', filterType: 'numeric' }] }, 'AND[0].value: must be a number'],
    [{ AND: [{ OR: [{ AND: [{ key: 'a' }] }] }] }, 'AND[0].OR[0].AND[0].value: is required'],
  ])('is refused: %j', (given, why) => {
    expect(problems(filters, given)).toContain(why);
    expect(problems(filtersInQuery, typeof given === 'string' ? given : JSON.stringify(given))).toContain(
      why,
    );
  });

  it('with several errors gets all of them in one answer', () => {
    const said = problems(filters, { AND: [{ key: 'a' }, { value: 'b' }, { OR: [{ ...kind, negate: 2 }] }] });
    expect(said).toContain('AND[0].value');
    expect(said).toContain('AND[1].key');
    expect(said).toContain('AND[2].OR[0].negate');
  });

  it('holds at most 200 conditions, counted through all groups', () => {
    const many = (count: number) => Array.from({ length: count }, () => kind);
    expect(problems(filters, { AND: [{ OR: many(100) }, { OR: many(100) }] })).toBe('');
    expect(problems(filters, { AND: [{ OR: many(100) }, { OR: many(101) }] })).toContain('at most 200');
    expect(problems(filters, { AND: many(100_000) })).toContain('at most 200');
  });

  it('is nested at most 8 levels deep, and stays cheap far below that', () => {
    expect(problems(filters, nest(8))).toBe('');
    expect(problems(filters, nest(9))).toContain('at most 8 levels');
    let deep: object = kind;
    for (let level = 0; level < 100_000; level++) deep = { AND: [deep] };
    expect(problems(filters, deep)).toContain('at most 8 levels');
  });
});
