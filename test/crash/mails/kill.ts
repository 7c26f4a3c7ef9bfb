// Kills the sender of mails between any two of its steps, again and again, and counts what a real mail server got.
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyRecord } from '../../../server/adapters/store/ports/keys.ts';
import { openSqliteStore } from '../../../server/adapters/store/request-side/sqlite-store.ts';
import { openWritingSide } from '../../../server/adapters/store/writing-side/sqlite-writing-side.ts';
import type { MemberRecord } from '../../../server/core/principal.ts';
import { newId } from '../../../server/lib/ids.ts';
import { directCall } from '../../../server/lib/threads/direct-call.ts';
import { newDataFolder } from '../../support/data-folder.ts';
import { type ReceivedMail, startSmtp, type TestSmtp } from '../../support/smtp.ts';
import type { Life } from './life.ts';

export interface MailKillReport {
  kills: number;
  /** The steps of a life without a kill. */
  steps: number;
  mails: number;
  /** Handed over twice as the same message: the process ended after the mail server had it and before that was stored. */
  repeated: number;
  /** The problems, each as a sentence. */
  problems: string[];
}

const LIFE = join(import.meta.dirname, 'life.ts');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 2, 2, 9);
const END = START + 30 * DAY_MS;
/** Longer than the lease of a mail. */
const LATER_MS = 10 * 60_000;
const LOOKS = [END - 7 * DAY_MS + HOUR_MS, END - 12 * HOUR_MS];
const PEOPLE = ['ada', 'bob', 'eve'];

const memberOf = (name: string): MemberRecord => ({
  ...{ id: newId(), email: `${name}@example.org`, emailVerified: true, name, role: 'member', tags: null },
  ...{ createdAt: START, lastSeenAt: null },
});

const keyOf = (ownerId: string): KeyRecord => ({
  ...{ id: newId(), hash: newId(), start: 'sm_start', name: 'ends', permission: 'write', tags: null },
  ...{ enabled: true, expiresAt: END, rateLimitMax: null, rateLimitWindowMs: null, pluginId: null },
  ...{ madeBy: null, ownerId, role: null, replacedBy: null, createdAt: START, lastUsedAt: null },
});

/** Each person has two keys that end together, so that a digest of two is due, and a last notice of two. */
const fill = async (file: string): Promise<void> => {
  const now = () => START;
  const writing = openWritingSide({ file, now, changed: () => undefined });
  const store = openSqliteStore({ file, now, call: directCall(writing.commands) });
  for (const member of PEOPLE.map(memberOf)) {
    await store.team.members.create(member, null);
    for (let n = 0; n < 2; n++) await store.keys.create(keyOf(member.id));
  }
  await store.close();
  await writing.close();
};

/** The output of the process, also of a killed one. */
const live = (life: Life): Promise<string> =>
  new Promise((resolve) => {
    const flags = ['--disable-warning=ExperimentalWarning', LIFE, JSON.stringify(life)];
    execFile(process.execPath, flags, (_error, stdout, stderr) => resolve(stdout + stderr));
  });

const stepsIn = (printed: string): number | null => {
  const steps = /^steps (\d+)$/m.exec(printed)?.[1];
  return steps === undefined ? null : Number(steps);
};

const problemsOf = (received: readonly ReceivedMail[], where: string): string[] =>
  PEOPLE.flatMap((name) => {
    const its = received.filter(({ to }) => to.includes(`${name}@example.org`));
    const different = new Set(its.map(({ messageId }) => messageId)).size;
    return different === LOOKS.length ? [] : [`${where}: ${name} got ${different} different mails.`];
  });

const liveOnce = async (smtp: TestSmtp, killBefore: number | null) => {
  const dir = newDataFolder('mails');
  const file = join(dir, 'memoir.db');
  const port = Number(new URL(smtp.url).port);
  const before = smtp.received.length;
  await fill(file);
  let printed = await live({ file, port, moments: LOOKS, killBefore });
  const isKilled = stepsIn(printed) === null;
  const looked = printed.split('\n').filter((line) => /^\d+$/.test(line)).length;
  if (isKilled) {
    // The next process goes on a little later; what was due is due again.
    const moments = LOOKS.slice(Math.max(0, looked - 1)).map((at) => at + LATER_MS);
    printed = await live({ file, port, moments, killBefore: null });
  }
  rmSync(dir, { recursive: true, force: true });
  const received = smtp.received.slice(before);
  const different = new Set(received.map(({ messageId }) => messageId)).size;
  const where = `Killed before step ${killBefore}`;
  const unfinished = stepsIn(printed) === null ? [`${where}: the next process failed: ${printed}`] : [];
  return {
    ...{ isKilled, steps: stepsIn(printed) ?? 0, mails: different, repeated: received.length - different },
    problems: [...unfinished, ...problemsOf(received, where)],
  };
};

/** `stride`: of the steps, every so-manieth is tried. */
export const killMails = async (
  rounds: number,
  { stride = 1, say = () => undefined }: { stride?: number; say?: (line: string) => void } = {},
): Promise<MailKillReport> => {
  const smtp = await startSmtp();
  try {
    const whole = await liveOnce(smtp, null);
    const report = { kills: 0, steps: whole.steps, mails: 0, repeated: 0, problems: [...whole.problems] };
    for (let round = 0; round < rounds; round++) {
      const life = await liveOnce(smtp, (round * stride) % whole.steps);
      report.kills += life.isKilled ? 1 : 0;
      report.mails += life.mails;
      report.repeated += life.repeated;
      report.problems.push(...life.problems);
      if (round % 10 === 9) say(`${round + 1} of ${rounds} rounds, ${report.problems.length} problems`);
    }
    return report;
  } finally {
    await smtp.close();
  }
};
