// Follows a connection while it syncs, with one line of progress.
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { getConnection } from '../../../../tools/connections/get-by-id.ts';
import type { CommandWork } from '../../command.ts';

export type ShownConnection = z.output<typeof getConnection.output>;

const LOOK_MS = 500;
const MINUTE_MS = 60_000;

const number = (count: number): string => count.toLocaleString('en-US');

/** `s3 originals  3,120 of 9,874 · 12 skipped · 3 failed · about 14 min` */
export const progressLine = (connection: ShownConnection, minutesLeft: number | null): string => {
  const { provider, email, account, progress } = connection;
  const { found = 0, done = 0, skipped = 0, failed = 0 } = progress ?? {};
  const parts = [`${provider} ${email ?? account ?? connection.id}  ${number(done)} of ${number(found)}`];
  if (skipped > 0) parts.push(`${number(skipped)} skipped`);
  if (failed > 0) parts.push(`${number(failed)} failed`);
  if (minutesLeft !== null)
    parts.push(minutesLeft < 1 ? 'less than a minute' : `about ${Math.round(minutesLeft)} min`);
  return parts.join(' · ');
};

/** By the speed so far; null: nothing is known yet. */
const minutesLeft = (began: number, first: number, { progress }: ShownConnection): number | null => {
  const { done = 0, waiting = 0 } = progress ?? {};
  const passed = Date.now() - began;
  return done <= first || waiting === 0 ? null : ((passed / (done - first)) * waiting) / MINUTE_MS;
};

const isAtRest = ({ status, lastSyncRun, progress }: ShownConnection): boolean =>
  status !== 'active' ||
  (lastSyncRun !== undefined && lastSyncRun.status !== 'running' && progress?.waiting === 0) ||
  lastSyncRun?.status === 'failed';

/** Until the run has ended; `since`: the start of the run that is followed is later than this. */
export const followSync = async (
  { client, print }: CommandWork,
  id: string,
  since: number,
): Promise<ShownConnection> => {
  const began = Date.now();
  let first: number | null = null;
  for (;;) {
    const connection = await client.call(getConnection, { connection: id });
    first ??= connection.progress?.done ?? 0;
    const started = Date.parse(connection.lastSyncRun?.startedAt ?? '');
    const isThisRun = connection.status !== 'active' || started >= since;
    if (isThisRun && isAtRest(connection)) return connection;
    print.progress(progressLine(connection, minutesLeft(began, first, connection)));
    await sleep(LOOK_MS);
  }
};
