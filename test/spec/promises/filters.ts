// Promises about the filters of lists and searches.
import type { PromiseRow } from '../promise.ts';

export const filters = [
  {
    id: 'filters:tree:and-or',
    source: 'contract §2.11',
    says: 'Filters are a tree of AND and OR groups.',
    ways: ['rest'],
  },
  {
    id: 'filters:tree:root',
    source: 'contract §2.11',
    says: 'A bare condition, or AND and OR together at the root, fails with 400.',
    ways: ['rest'],
  },
  {
    id: 'filters:tree:json-text',
    source: 'contract §2.11',
    says: 'Filters may be an object or JSON text.',
    ways: ['rest'],
  },
  {
    id: 'filters:tree:limits',
    source: 'contract §2.9',
    says: 'More than 200 conditions, or groups nested more than 8 deep, fail with 400.',
    ways: ['rest'],
  },
  {
    id: 'filters:contains:limits',
    source: 'ours',
    says: 'At most 20 conditions of one call may be string_contains, each with at most 256 characters; the 400 names the limit.',
    ways: ['rest'],
  },
  {
    id: 'queries:deadline:503',
    source: 'ours',
    says: 'A call whose filters, scans or long lists need more processor time than MEMOIR_QUERY_DEADLINE_MS (default 2 seconds), or last four times as long, gets 503 with Retry-After and x-should-retry: true; calls that come meanwhile are answered.',
    ways: ['rest'],
  },
  {
    id: 'filters:metadata:equal',
    source: 'contract §2.11',
    says: 'A metadata filter matches the stored value exactly, numbers and booleans as their text too.',
    ways: ['rest'],
  },
  {
    id: 'filters:contains:substring',
    source: 'spec §Endpoints',
    says: 'string_contains matches a part of a value; % and _ are plain characters.',
    ways: ['rest'],
  },
  {
    id: 'filters:contains:ignore-case',
    source: 'spec §Endpoints',
    says: 'ignoreCase makes a string comparison case-insensitive, beyond ASCII too.',
    ways: ['rest'],
  },
  {
    id: 'filters:numeric:operators',
    source: 'contract §2.11',
    says: 'numeric compares with =, >, <, >= and <=.',
    ways: ['rest'],
  },
  {
    id: 'filters:numeric:by-value',
    source: 'contract 0a',
    says: 'Numbers compare by value: "5" equals 5.0.',
    ways: ['rest'],
  },
  {
    id: 'filters:negate:any-type',
    source: 'spec §Endpoints',
    says: 'negate turns a condition into its opposite.',
    ways: ['rest'],
  },
  {
    id: 'filters:negate:missing-key',
    source: 'contract 0a',
    says: 'A negated filter matches documents that lack the key.',
    ways: ['rest'],
  },
  {
    id: 'filters:text:booleans',
    source: 'contract §2.11',
    says: 'negate and ignoreCase may be the texts "true" and "false".',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
