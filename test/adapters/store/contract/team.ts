// Members, invitations, sessions and the outbox of mails.
import { describe, expect, test } from 'vitest';
import type { KeyRecord } from '../../../../server/adapters/store/ports/keys.ts';
import type { NewMail } from '../../../../server/adapters/store/ports/team/mails.ts';
import type { InviteRecord } from '../../../../server/adapters/store/ports/team/team.ts';
import type { MemberRecord } from '../../../../server/core/principal.ts';
import { newId } from '../../../../server/lib/ids.ts';
import { type OpenStore, openWorld } from './world.ts';

const member = (name: string, more: Partial<MemberRecord> = {}): MemberRecord => ({
  ...{ id: newId(), email: `${name}@example.org`, emailVerified: false, name, role: 'member', tags: null },
  ...{ createdAt: 1_000, lastSeenAt: null },
  ...more,
});

const keyOf = (ownerId: string): KeyRecord => ({
  ...{ id: newId(), hash: newId(), start: 'sm_start', name: 'personal', permission: 'write', tags: null },
  ...{ enabled: true, expiresAt: null, rateLimitMax: null, rateLimitWindowMs: null, pluginId: null },
  ...{ madeBy: null, ownerId, role: null, replacedBy: null, createdAt: 1_000, lastUsedAt: null },
});

const invite = (name: string, now: number, more: Partial<InviteRecord> = {}): InviteRecord => ({
  ...{ id: newId(), email: `${name}@example.org`, role: 'member', tags: null, tokenHash: newId() },
  ...{ inviterId: null, inviterName: 'First key', invitedAt: now, expiresAt: now + 1_000 },
  ...{ status: 'pending', acceptedAt: null, mailed: true },
  ...more,
});

const mail = (more: Partial<NewMail> = {}): NewMail => ({
  ...{ id: newId(), kind: 'test', to: 'ada@example.org', content: { secret: 'a link' } },
  ...more,
});

const members = (open: OpenStore): void => {
  test('of the team differ in more than the address, and lose their limit with the role', async () => {
    await using world = await openWorld(open);
    const { members: store } = world.store.team;
    const ada = member('ada', { tags: [{ containerTag: 'a', permission: 'read' }] });
    expect(await store.create(ada, null)).toBe(true);
    expect(await store.create(member('ada'), null)).toBe(false);
    expect(await store.byEmail(ada.email)).toEqual(ada);
    expect(await store.setRole(ada.id, 'admin')).toBe('changed');
    expect(await store.byId(ada.id)).toEqual({ ...ada, role: 'admin', tags: null });
    expect(await store.setAccess(ada.id, [{ containerTag: 'b', permission: 'write' }])).toBe(false);
    expect(await store.setRole(newId(), 'admin')).toBe('missing');
    await store.touch([{ id: ada.id, at: 7 }]);
    await store.verify(ada.id);
    expect(await store.list()).toEqual([
      { ...ada, role: 'admin', tags: null, lastSeenAt: 7, emailVerified: true },
    ]);
  });

  test('of the team that are removed take their sessions, keys and grants along, and the last owner stays', async () => {
    await using world = await openWorld(open);
    const { team, keys, grants } = world.store;
    const [ada, bob] = [member('ada', { role: 'owner' }), member('bob', { role: 'owner' })];
    const key = keyOf(ada.id);
    const service = { ...keyOf(ada.id), ownerId: null };
    await team.members.create(ada, key);
    await team.members.create(bob, null);
    await keys.create(service);
    const grant = {
      ...{ id: newId(), keyId: key.id, clientId: 'c', clientName: 'C', redirectHost: 'localhost' },
      ...{ permission: 'read' as const, tags: null, createdAt: 1, expiresAt: 1e15, lastUsedAt: null },
    };
    await grants.create(grant);
    const session = {
      ...{ id: newId(), hash: newId(), memberId: ada.id, keyId: null, createdAt: 1, lastSeenAt: 1 },
      ...{ expiresAt: 1e15, userAgent: 'browser' },
    };
    await team.sessions.create(session, null);
    expect(await team.sessions.byHash(session.hash)).toEqual(session);
    expect((await keys.byId(key.id))?.owner).toEqual(ada);
    expect(await team.members.remove(ada.id)).toEqual({
      outcome: 'removed',
      sessions: 1,
      keys: 1,
      grants: 1,
    });
    expect(await keys.byId(key.id)).toMatchObject({ enabled: false, owner: null });
    expect((await keys.byId(service.id))?.enabled).toBe(true);
    expect([await grants.list(), await team.sessions.byHash(session.hash)]).toEqual([[], null]);
    expect(await team.members.remove(bob.id)).toEqual({ outcome: 'lastOwner' });
    expect(await team.members.setRole(bob.id, 'admin')).toBe('lastOwner');
    expect(await team.members.remove(ada.id)).toEqual({ outcome: 'missing' });
  });

  test('of the team that are removed both at once by each other leave one owner', async () => {
    await using world = await openWorld(open);
    const { members: store } = world.store.team;
    const owners = [member('ada', { role: 'owner' }), member('bob', { role: 'owner' })];
    for (const owner of owners) await store.create(owner, null);
    const outcomes = await Promise.all(owners.map(({ id }) => store.remove(id)));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['lastOwner', 'removed']);
  });
};

const invites = (open: OpenStore): void => {
  test('of invitations keep one pending for an address, which a second one renews', async () => {
    await using world = await openWorld(open);
    const { invites: store } = world.store.team;
    const first = invite('ada', world.clock.now());
    const second = invite('ada', world.clock.now(), { role: 'admin' });
    await store.create(first, null);
    const renewed = await store.create(second, null);
    expect(renewed).toEqual({ outcome: 'created', invite: { ...second, id: first.id }, renewed: true });
    expect(await store.byToken(first.tokenHash)).toBeNull();
    expect(await store.list()).toHaveLength(1);
    const token = { tokenHash: newId(), expiresAt: world.clock.now() + 5_000, mailed: false };
    expect(await store.renew(first.id, token, null)).toMatchObject(token);
    expect(await store.byToken(second.tokenHash)).toBeNull();
  });

  test('of invitations are taken by one of two who answer at once, and no more after their end', async () => {
    await using world = await openWorld(open);
    const { invites: store, members: people } = world.store.team;
    const one = invite('ada', world.clock.now());
    await store.create(one, null);
    const answers = await Promise.all(
      [newId(), newId()].map((id) => store.accept(one.tokenHash, { id, name: 'Ada' }, keyOf(id))),
    );
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['accepted', 'ended']);
    expect(await people.list()).toHaveLength(1);
    expect(await world.store.keys.list()).toHaveLength(1);
    expect((await store.create(invite('ada', world.clock.now()), null)).outcome).toBe('member');
    const late = invite('bob', world.clock.now());
    await store.create(late, null);
    world.clock.pass(1_000);
    const asBob = { id: newId(), name: 'Bob' };
    expect((await store.accept(late.tokenHash, asBob, null)).outcome).toBe('expired');
    expect(await store.cancel(late.id)).toBe(true);
    expect((await store.accept(late.tokenHash, asBob, null)).outcome).toBe('ended');
    expect(await store.reject(late.tokenHash)).toBe(false);
  });

  test('of invitations are a hundred at most that wait for an answer', async () => {
    await using world = await openWorld(open);
    const { invites: store } = world.store.team;
    for (let at = 0; at < 100; at++) await store.create(invite(`guest${at}`, world.clock.now()), null);
    expect((await store.create(invite('one-more', world.clock.now()), null)).outcome).toBe('tooMany');
    expect((await store.create(invite('guest7', world.clock.now()), null)).outcome).toBe('created');
  });
};

const mails = (open: OpenStore): void => {
  test('of mails are stored with what they tell, claimed once, and lose their text with their end', async () => {
    await using world = await openWorld(open);
    const { mails: store, team } = world.store;
    const invitation = mail({ kind: 'invitation' });
    await team.invites.create(invite('ada', world.clock.now()), invitation);
    const claims = await Promise.all([store.claim(60_000), store.claim(60_000)]);
    const [held] = claims.filter((claim) => claim !== null);
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    expect(held).toMatchObject({ ...invitation, attempts: 1 });
    if (held === undefined) return;
    await store.end(held, { state: 'queued', error: '421 busy', nextAt: world.clock.now() + 10 });
    expect(await store.counts()).toEqual({ queued: 1, retried: 1, failed: 0, error: '421 busy' });
    expect(await store.claim(60_000)).toBeNull();
    world.clock.pass(10);
    const again = await store.claim(60_000);
    expect(again?.attempts).toBe(2);
    // A claim that was lost ends nothing.
    await store.end(held, { state: 'sent' });
    expect((await store.counts()).queued).toBe(1);
    if (again !== null) await store.end(again, { state: 'sent' });
    expect(await world.rows('select content from mail_contents')).toEqual([]);
    expect(await store.counts()).toEqual({ queued: 0, retried: 0, failed: 0, error: null });
  });

  test('of mails whose process is gone are claimed again after the lease', async () => {
    await using world = await openWorld(open);
    const { mails: store } = world.store;
    await store.queue(mail());
    expect(await store.claim(1_000)).not.toBeNull();
    world.clock.pass(1_000);
    expect((await store.claim(1_000))?.attempts).toBe(2);
  });

  test('of notices are told once for each threshold and end, by one digest a day', async () => {
    await using world = await openWorld(open);
    const { mails: store } = world.store;
    const notice = (keyId: string, thresholdDays: number, expiresAt = 5) => ({
      keyId,
      thresholdDays,
      expiresAt,
    });
    const to = (address: string, ...notices: ReturnType<typeof notice>[]) => ({
      to: address,
      name: 'Ada',
      notices,
    });
    const digest = [
      to('ada@example.org', notice('k1', 7)),
      to('bob@example.org', notice('k1', 7), notice('k2', 7)),
    ];
    expect(
      await Promise.all([store.notice(digest, '2026-11-25'), store.notice(digest, '2026-11-25')]),
    ).toEqual(expect.arrayContaining([2, 0]));
    expect(await store.notice([to('ada@example.org', notice('k3', 7))], '2026-11-25')).toBe(0);
    expect(await store.notice([to('ada@example.org', notice('k1', 7), notice('k3', 7))], '2026-11-26')).toBe(
      1,
    );
    expect(await store.notice([to('ada@example.org', notice('k1', 1))], null)).toBe(1);
    expect(await store.notice([to('ada@example.org', notice('k1', 1))], null)).toBe(0);
    expect(await store.notice([to('ada@example.org', notice('k1', 1, 6))], null)).toBe(1);
    expect((await store.noticed()).get('k1')).toBe(world.clock.now());
    expect((await store.counts()).queued).toBe(5);
  });
};

export const teamContract = (open: OpenStore): void => {
  describe('rows', () => {
    members(open);
    invites(open);
    mails(open);
  });
};
