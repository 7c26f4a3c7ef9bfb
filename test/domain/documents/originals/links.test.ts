// Tests of the signed links to originals.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type FileLink, judgeLink, linkPath } from '../../../../server/domain/documents/originals/links.ts';

const SECRET = randomBytes(32);
const NOW = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const FILE = { key: 'key-1', name: 'plan.pdf', mimeType: null, bytes: 3 };

const partsOf = (path: string): FileLink => {
  const url = new URL(path, 'http://memoir');
  return {
    id: decodeURIComponent(url.pathname.replace('/files/', '')),
    by: url.searchParams.get('by') ?? '',
    expires: url.searchParams.get('expires') ?? '',
    signature: url.searchParams.get('signature') ?? '',
  };
};

const link = (id = 'doc-1') => partsOf(linkPath(SECRET, { id, file: FILE, by: 'key-a' }, NOW));

const judge = (given: FileLink, { file = FILE, now = NOW, secret = SECRET } = {}) =>
  judgeLink(secret, given, file, now);

test('a link is valid for a day and is reported as expired after that', () => {
  expect(judge(link())).toBe('good');
  expect(judge(link(), { now: NOW + 24 * HOUR_MS - 1 })).toBe('good');
  expect(judge(link(), { now: NOW + 24 * HOUR_MS })).toBe('expired');
});

test('an id with any characters survives the round trip through an address', () => {
  for (const id of ['a/b', 'ä?&=%', '../x', '1\n2']) expect([id, judge(link(id))]).toEqual([id, 'good']);
});

test('a link is invalid after any change', () => {
  const { signature, expires } = link();
  const changed: FileLink[] = [
    { ...link(), id: 'doc-2' },
    { ...link(), by: 'key-b' },
    { ...link(), by: '' },
    { ...link(), expires: String(Number(expires) + 1) },
    { ...link(), expires: `${expires} ` },
    { ...link(), expires: '' },
    { ...link(), signature: '' },
    { ...link(), signature: signature.slice(0, -2) },
    { ...link(), signature: `${signature}AAAA` },
    { ...link(), signature: Buffer.alloc(32).toString('base64url') },
  ];
  for (const one of changed) expect([one, judge(one)]).toEqual([one, 'wrong']);
});

test('a link with a changed time is invalid, not expired, so it reveals nothing', () => {
  expect(judge({ ...link(), expires: '1' })).toBe('wrong');
});

test('a link is valid for one file and one server only', () => {
  expect(judge(link(), { file: { ...FILE, key: 'key-2' } })).toBe('wrong');
  expect(judge(link(), { secret: randomBytes(32) })).toBe('wrong');
});

test('the signed fields cannot be shifted into each other', () => {
  const given = partsOf(linkPath(SECRET, { id: 'doc', file: { ...FILE, key: '1\nkey' }, by: 'key-a' }, NOW));
  expect(judge({ ...given, id: 'doc\n1' }, { file: { ...FILE, key: 'key' } })).not.toBe('good');
});
