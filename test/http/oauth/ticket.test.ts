// Tests of the tickets of the connect page.
import { afterAll, expect, test } from 'vitest';
import { createTickets } from '../../../server/http/oauth/ticket.ts';
import { openTestKeys } from '../../support/access-store.ts';

const store = openTestKeys();
afterAll(() => store.close());

test('a ticket works once, for its own request, within ten minutes, and the store holds no part of it', async () => {
  let clock = Date.now();
  const { tokens } = store.grants;
  const kept: unknown[] = [];
  const keep: typeof tokens.keep = (token) => {
    kept.push(token);
    return tokens.keep(token);
  };
  const tickets = createTickets({ ...tokens, keep }, () => clock);
  const ticket = await tickets.write('key-1', 'one request');
  expect(JSON.stringify(kept)).not.toContain(ticket);
  expect(await tickets.redeem(ticket, 'another request')).toBeNull();
  expect(await tickets.redeem(ticket, 'one request')).toBe('key-1');
  expect(await tickets.redeem(ticket, 'one request')).toBeNull();
  expect(await tickets.redeem('', 'one request')).toBeNull();

  // Another start on the same folder.
  const again = createTickets(tokens, () => clock);
  expect(await again.redeem(ticket, 'one request')).toBeNull();
  const unused = await tickets.write('key-1', 'one request');
  expect(await again.redeem(unused, 'one request')).toBe('key-1');

  const late = await tickets.write('key-1', 'one request');
  clock += 600_000;
  expect(await tickets.redeem(late, 'one request')).toBeNull();
});
