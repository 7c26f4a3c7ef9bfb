// The duty that keeps webhooks, over a source that tests script and a clock that they turn.
import { expect, test } from 'vitest';
import type { OpenSource, Watch } from '../../../server/adapters/connect/port.ts';
import { SourceError } from '../../../server/adapters/connect/source-error.ts';
import type {
  HooksEnd,
  KeptHook,
  LeasedHooks,
} from '../../../server/adapters/store/ports/connections/hooks.ts';
import { sourceFailure } from '../../../server/app/connections/source-failure.ts';
import { type KeepHooksDeps, keepHooks } from '../../../server/domain/connections/hooks/keep-hooks.ts';
import type { OpenedConnection } from '../../../server/domain/connections/syncing/context.ts';
import { createClock } from '../../support/clock.ts';

const { signal } = new AbortController();
const DAY = 24 * 60 * 60_000;
const BASE = 'https://memoir.example';

interface Scene {
  /** The answer of the source to a watch. */
  readonly watch?: OpenSource['watch'];
  readonly hooks?: readonly KeptHook[];
  readonly base?: string | null;
  readonly state?: 'active' | 'paused';
  readonly choice?: LeasedHooks['record']['choice'];
  readonly failures?: number;
  /** False: another process has taken the connection meanwhile. */
  readonly holds?: boolean;
}

const kept = (tokenHash: string, byHand = false): KeptHook => ({
  ...{ tokenHash, sealed: 'sealed', base: BASE, byHand, heardAt: null },
  watches: [{ id: `remote-${tokenHash}`, endsAt: null }],
});

const play = async ({ watch, hooks = [], base = BASE, holds = true, ...scene }: Scene) => {
  const clock = createClock();
  const ended: string[] = [];
  const ends: HooksEnd[] = [];
  const begun: string[] = [];
  const nothing = () => undefined;
  const opened = {
    kind: { provider: 'github', title: 'GitHub', choosing: 'must', whole: true },
    source: {
      ...(watch === undefined ? {} : { watch }),
      unwatch: async ({ id }: Watch) => {
        ended.push(id);
        if (id === 'remote-unreachable') throw new SourceError('provider_unavailable', 'It is away.');
      },
    },
  } as unknown as OpenedConnection;
  const deps: KeepHooksDeps = {
    store: {
      beginHook: async (_held, { tokenHash }) => begun.push(tokenHash) > 0,
      endHooks: async (_held, end) => {
        ends.push(end);
        return holds;
      },
    },
    open: async () => opened,
    sources: async () => ({ seal: () => 'sealed' }),
    failureOf: sourceFailure,
    ...{ base, now: clock.now },
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing } as unknown as KeepHooksDeps['log'],
  };
  const { state = 'active', choice = [{ id: '1', name: 'a', kind: 'repository' }], failures = 0 } = scene;
  const record = { provider: 'github', state, choice, metadata: {} };
  const leased = {
    connection: 'c',
    lease: 'l',
    sealed: null,
    hooks,
    failures,
    record,
  } as unknown as LeasedHooks;
  await keepHooks(deps, leased, signal);
  return { ended, end: ends[0], begun, now: clock.now() };
};

test('a hook is made with an address of its own, and renewed at half of its time', async () => {
  const told: string[] = [];
  const { begun, end, now, ended } = await play({
    hooks: [kept('old'), kept('by-hand', true), kept('unreachable')],
    watch: async (_choice, address, secret) => {
      told.push(address, secret);
      return [{ id: 'new', endsAt: createClock().now() + 7 * DAY }];
    },
  });
  expect(told[0]).toMatch(/^https:\/\/memoir\.example\/v3\/connections\/hooks\/github\/[\w-]{43}$/);
  expect(told[0]).not.toContain(told[1]);
  expect(end).toMatchObject({
    ...{ made: { tokenHash: begun[0] }, ended: ['old', 'unreachable'], problem: null, failed: false },
    dueAt: now + (7 * DAY) / 2,
  });
  // Of the former ones the source is told afterwards, and one that a person made stays.
  expect(ended).toEqual(['remote-old', 'remote-unreachable']);
});

test('a hook that does not end is not due again', async () => {
  const { end } = await play({ watch: async () => [{ id: 'new', endsAt: null }] });
  expect(end?.dueAt).toBeNull();
});

test('a refusal is said and tried again after a day, and a failure sooner', async () => {
  const refused = await play({ watch: async () => null });
  expect(refused.end).toMatchObject({
    ...{ made: null, ended: refused.begun, failed: false, dueAt: refused.now + DAY },
    problem: expect.stringContaining('docs/connectors/github.md'),
  });
  const away = async (): Promise<null> => {
    throw new SourceError('provider_unavailable', 'GitHub is away.');
  };
  const failed = await play({ watch: away, failures: 2 });
  expect(failed.end).toMatchObject({ failed: true, problem: expect.stringContaining('GitHub is away.') });
  expect(failed.end?.dueAt).toBeGreaterThan(failed.now);
  // While the former one goes on, there is no problem.
  expect((await play({ watch: away, hooks: [kept('old')] })).end).toMatchObject({ problem: null, ended: [] });
});

test('without an address, a choice or an active connection, hooks are ended', async () => {
  const watch = async (): Promise<Watch[]> => [{ id: 'new', endsAt: null }];
  const hooks = [kept('old')];
  for (const scene of [{ base: null }, { choice: [] }, { state: 'paused' as const }, { watch: undefined }]) {
    const { begun, ended, end } = await play({ watch, hooks, ...scene });
    expect([begun, ended, end?.ended, end?.dueAt]).toEqual([[], ['remote-old'], ['old'], null]);
  }
  expect((await play({ watch, base: null })).end?.problem).toContain('MEMOIR_BASE_URL');
});

test('what was made after the lease was lost is ended at the source', async () => {
  const { ended } = await play({
    holds: false,
    hooks: [kept('old')],
    watch: async () => [{ id: 'new', endsAt: null }],
  });
  expect(ended).toEqual(['new']);
});
