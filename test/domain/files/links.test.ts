// What a link to an original proves, and what it does not.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { judgeLink, type LinkParts, linkPath } from '../../../server/domain/files/links.ts';

const SECRET = randomBytes(32);
const NOW = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const FILE = { key: 'key-1', name: 'plan.pdf', mimeType: null, bytes: 3 };

const partsOf = (path: string): LinkParts => {
  const url = new URL(path, 'http://memoir');
  return {
    id: decodeURIComponent(url.pathname.replace('/files/', '')),
    expires: url.searchParams.get('expires') ?? '',
    signature: url.searchParams.get('signature') ?? '',
  };
};

const link = (id = 'doc-1') => partsOf(linkPath(SECRET, id, FILE, NOW));

const judge = (given: LinkParts, { file = FILE, now = NOW, secret = SECRET } = {}) =>
  judgeLink(secret, given, file, now);

test('a link is good for a day and then says that its time is over', () => {
  expect(judge(link())).toBe('good');
  expect(judge(link(), { now: NOW + 24 * HOUR_MS - 1 })).toBe('good');
  expect(judge(link(), { now: NOW + 24 * HOUR_MS })).toBe('expired');
});

test('an id of any characters survives the way through an address', () => {
  for (const id of ['a/b', 'ä?&=%', '../x', '1\n2']) expect([id, judge(link(id))]).toEqual([id, 'good']);
});

test('a link that was changed in anything is wrong', () => {
  const { signature, expires } = link();
  const changed: LinkParts[] = [
    { ...link(), id: 'doc-2' },
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

test('a time that was changed is wrong, and not expired: nothing is said about what there is', () => {
  expect(judge({ ...link(), expires: '1' })).toBe('wrong');
});

test('another file in the place of the first needs another link, and so does another server', () => {
  expect(judge(link(), { file: { ...FILE, key: 'key-2' } })).toBe('wrong');
  expect(judge(link(), { secret: randomBytes(32) })).toBe('wrong');
});

test('what is signed cannot be shifted from one part to the next', () => {
  const given = partsOf(linkPath(SECRET, 'doc', { ...FILE, key: '1\nkey' }, NOW));
  expect(judge({ ...given, id: 'doc\n1' }, { file: { ...FILE, key: 'key' } })).not.toBe('good');
});
