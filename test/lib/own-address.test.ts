// Tests of recognising the server's own address in a token.
import { expect, test } from 'vitest';
import { isOwnResource } from '../../server/lib/own-address.ts';

test('a token may name the public address or a name of this machine, with or without the path of the tools', () => {
  for (const base of ['', 'https://memory.example.org'])
    for (const own of ['http://127.0.0.1:6767/mcp', 'http://localhost:6767', 'http://[::1]:6767/'])
      expect([own, isOwnResource(base, own)]).toEqual([own, true]);
  expect(isOwnResource('https://memory.example.org', 'https://memory.example.org/mcp')).toBe(true);
});

test('any other address is foreign', () => {
  for (const foreign of [
    'https://other.example.org/mcp',
    'https://memory.example.org.evil.example/mcp',
    'https://memory.example.org/other',
    'https://127.0.0.1:6767/mcp',
    'no address',
  ])
    expect([foreign, isOwnResource('https://memory.example.org', foreign)]).toEqual([foreign, false]);
});
