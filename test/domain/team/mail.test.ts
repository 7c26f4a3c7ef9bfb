// The outbox with a real mail server: retries, refusals and notices of keys that end, with a clock that tests turn.

import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSmtpTransport } from '../../../server/adapters/mail/smtp.ts';
import type { KeyRecord } from '../../../server/adapters/store/ports/keys.ts';
import type { MemberRecord } from '../../../server/core/principal.ts';
import { createMailOffice, type MailOffice } from '../../../server/domain/team/mail/office.ts';
import { newId } from '../../../server/lib/ids.ts';
import { verifies } from '../../spec/verifies.ts';
import { type Clock, createClock } from '../../support/clock.ts';
import { startSmtp, type TestSmtp } from '../../support/smtp.ts';
import { openTestStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const log = { info: () => undefined, warn: () => undefined };

let clock: Clock;
let opened: ReturnType<typeof openTestStore>;
let smtp: TestSmtp;
beforeEach(async () => {
  clock = createClock();
  opened = openTestStore({ now: clock.now });
  smtp = await startSmtp();
});
afterEach(() => Promise.all([opened.close(), smtp.close()]));

const officeOver = (port: number | null, more: { log?: typeof log; mailTo?: string } = {}): MailOffice => {
  const { store } = opened;
  const transport =
    port === null
      ? null
      : createSmtpTransport({
          host: '127.0.0.1',
          port,
          tls: false,
          requireTls: false,
          from: 'm@example.org',
        });
  return createMailOffice({
    ...{ keys: store.keys, members: store.team.members, mails: store.mails, transport },
    ...{ mailTo: more.mailTo, timezone: 'UTC', base: () => 'http://memoir.example', now: clock.now },
    log: more.log ?? log,
  });
};

const portOf = ({ url }: TestSmtp): number => Number(new URL(url).port);

const keyOf = (days: number, more: Partial<KeyRecord> = {}): KeyRecord => ({
  ...{ id: newId(), hash: newId(), start: 'sm_start', name: `key of ${days} days`, permission: 'write' },
  ...{ tags: null, enabled: true, expiresAt: clock.now() + days * DAY, rateLimitMax: null },
  ...{ rateLimitWindowMs: null, pluginId: null, madeBy: null, ownerId: null, role: null, replacedBy: null },
  ...{ createdAt: clock.now(), lastUsedAt: null },
  ...more,
});

const memberOf = (name: string, role: MemberRecord['role']): MemberRecord => ({
  ...{ id: newId(), email: `${name}@example.org`, emailVerified: true, name, role, tags: null },
  ...{ createdAt: clock.now(), lastSeenAt: null },
});

const queued = async (office: MailOffice, to = 'ada@example.org') => {
  const mail = office.mail('test', to, { by: 'Ada' });
  if (mail !== null) await opened.store.mails.queue(mail);
};

describe('the outbox', () => {
  verifies(
    'mail:outbox:retries',
    'is tried again after 1, 5, 30 minutes, 2, 6 and 12 hours, and then given up',
    async () => {
      const office = officeOver(portOf(smtp));
      await queued(office);
      smtp.refuse(...Array.from({ length: 7 }, () => ({ code: 451, message: 'try later' })));
      const pauses = [0, 1, 5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE);
      for (const [at, pause] of pauses.entries()) {
        clock.pass(pause);
        await office.run();
        const last = at === pauses.length - 1;
        expect(await opened.store.mails.counts()).toMatchObject({
          queued: last ? 0 : 1,
          failed: last ? 1 : 0,
        });
      }
      expect((await office.health()).status).toBe('degraded');
      expect((await office.health()).detail).toMatch(/1 given up; .*try later/);
      expect(smtp.received).toEqual([]);
      await office.close();
    },
  );

  verifies(
    'mail:outbox:retries',
    'does not try again what the mail server refuses for good, and goes on',
    async () => {
      const office = officeOver(portOf(smtp));
      await queued(office, 'nobody@example.org');
      await queued(office, 'ada@example.org');
      smtp.refuse({ code: 550, message: 'no such person' });
      await office.run();
      expect(await opened.store.mails.counts()).toMatchObject({ queued: 0, failed: 1 });
      expect(smtp.received.map(({ to }) => to)).toEqual([['ada@example.org']]);
      await office.close();
    },
  );

  test('gives a mail the same id in every try, so that one that a crash sent twice is recognised', async () => {
    const office = officeOver(portOf(smtp));
    await queued(office);
    const held = await opened.store.mails.claim(1_000);
    expect(held).not.toBeNull();
    // The process ended after it had sent the mail.
    clock.pass(1_000);
    await office.run();
    expect(smtp.received.map(({ messageId }) => messageId)).toEqual([`<${held?.id}@example.org>`]);
    await office.close();
  });

  test('waits for a mail server that is away, and says so', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((ready) => silent.once('listening', ready));
    const { port } = silent.address() as AddressInfo;
    await new Promise((closed) => silent.close(closed));
    const office = officeOver(port);
    await queued(office);
    await office.run();
    expect((await office.health()).detail).toMatch(/^1 waiting, 0 given up; .*ECONNREFUSED/);
    await office.close();
  });

  test('waits for a mail server that hangs, and holds nothing else up', async () => {
    const sockets: Socket[] = [];
    const hanging = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((ready) => hanging.listen(0, '127.0.0.1', ready));
    const office = officeOver((hanging.address() as AddressInfo).port);
    await queued(office);
    let sent = false;
    const running = office.run().then(() => {
      sent = true;
    });
    await until('the connection', () => sockets.length === 1);
    await opened.store.keys.create(keyOf(30));
    await queued(office, 'bob@example.org');
    expect(await opened.store.mails.counts()).toMatchObject({ queued: 2, retried: 1 });
    expect(sent).toBe(false);
    hanging.close();
    for (const socket of sockets) socket.destroy();
    await running;
    expect((await office.health()).status).toBe('degraded');
    await office.close();
  });

  test('sends a test mail at once, with what the server said', async () => {
    const office = officeOver(portOf(smtp));
    const caller = { keyId: 'k', keyName: 'First key', permission: 'write', tags: null } as const;
    const holder = { ...caller, role: 'owner', expiresAt: null, rateLimit: null } as const;
    expect(await office.test(holder, 'ada@example.org')).toMatchObject({ success: true, said: /^250/ });
    smtp.refuse({ code: 554, message: 'not today' });
    expect(await office.test(holder, 'ada@example.org')).toMatchObject({
      success: false,
      said: expect.stringContaining('not today'),
    });
    await expect(office.test(holder, undefined)).rejects.toMatchObject({ status: 400 });
    await expect(officeOver(null).test(holder, 'a@example.org')).rejects.toMatchObject({ status: 409 });
    await office.close();
  });
});

describe('keys that end', () => {
  /** Looks each hour until the day, as the server does. */
  const live = async (office: MailOffice, days: number) => {
    for (let hour = 0; hour < days * 24; hour++) {
      await office.look();
      await office.run();
      clock.pass(HOUR);
    }
  };
  const toldOf = (days: number): number =>
    smtp.received.filter(({ text }) => text.includes(`key of ${days} days (`)).length;

  verifies(
    ['mail:expiry:once', 'auth:key:expiry-mail'],
    'of 30, 7 and 1 days are told twice, once and never, in one digest a day',
    async () => {
      const { store } = opened;
      const ada = memberOf('ada', 'member');
      await store.team.members.create(ada, null);
      for (const days of [30, 30, 7, 1]) await store.keys.create(keyOf(days, { ownerId: ada.id }));
      const office = officeOver(portOf(smtp));
      await live(office, 31);
      // Two keys of 30 days share their mails.
      expect([toldOf(30), toldOf(7), toldOf(1)]).toEqual([2, 1, 0]);
      expect(smtp.received).toHaveLength(3);
      expect(new Set(smtp.received.map(({ to }) => to.join()))).toEqual(new Set(['ada@example.org']));
      await office.close();
    },
  );

  test('of a year are told twice, also after restarts and by two processes', async () => {
    await opened.store.keys.create(keyOf(365));
    for (const [name, role] of [
      ['ada', 'owner'],
      ['bob', 'admin'],
      ['eve', 'member'],
    ] as const)
      await opened.store.team.members.create(memberOf(name, role), null);
    clock.pass(357 * DAY);
    for (let day = 0; day < 9; day++) {
      const offices = [officeOver(portOf(smtp)), officeOver(portOf(smtp))];
      for (let hour = 0; hour < 24; hour += 4) {
        await Promise.all(offices.map((each) => each.look()));
        await Promise.all(offices.map((each) => each.run()));
        clock.pass(4 * HOUR);
      }
      await Promise.all(offices.map((each) => each.close()));
    }
    const told = smtp.received.map(({ to }) => to.join()).sort();
    expect(told).toEqual(['ada', 'ada', 'bob', 'bob'].map((name) => `${name}@example.org`));
  });

  test('are left out of a mail that waits if they were disabled or rotated meanwhile', async () => {
    const [first, second] = [keyOf(30), keyOf(30)];
    for (const key of [first, second]) await opened.store.keys.create(key);
    const office = officeOver(portOf(smtp), { mailTo: 'operator@example.org' });
    clock.pass(24 * DAY + 12 * HOUR);
    await office.look();
    await opened.store.keys.setEnabled(first.id, false);
    const key = keyOf(30);
    await opened.store.keys.replace({ former: second.id, endsAt: clock.now() + DAY, key });
    await office.run();
    expect(smtp.received).toEqual([]);
    expect(await opened.store.mails.counts()).toMatchObject({ queued: 0, failed: 0 });
    await office.close();
  });

  test('are told to nobody without mail: once a day in the log, and in the health', async () => {
    const warned: string[] = [];
    const office = officeOver(null, {
      log: { ...log, warn: (_facts: object, text: string) => void warned.push(text) } as never,
    });
    await opened.store.keys.create(keyOf(3));
    for (let hour = 0; hour < 24; hour += 6) {
      await office.look();
      clock.pass(6 * HOUR);
    }
    expect(new Set(warned).size).toBe(1);
    expect(warned.length).toBeLessThanOrEqual(2);
    expect(warned[0]).toContain('1 key ends within 7 days, and no mail is set up');
    expect((await office.health()).detail).toBe(
      'not set up, so nobody is told that 1 key ends within 7 days',
    );
    expect(await opened.store.mails.noticed()).toEqual(new Map());
  });
});
