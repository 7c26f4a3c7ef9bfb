// Follows a connection while it syncs, and then until its documents can be found, with one line of progress.
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { getConnection } from '../../../../tools/connections/get-by-id.ts';
import { listProcessingDocuments } from '../../../../tools/documents/processing.ts';
import { plural } from '../../../lib/text/plural.ts';
import type { CommandWork } from '../../command.ts';

export type ShownConnection = z.output<typeof getConnection.output>;

const LOOK_MS = 500;
const MINUTE_MS = 60_000;
/** A provider that does not answer may hold documents up for hours. */
const STALLED_MS = 30_000;

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
const minutesLeft = (began: { at: number; done: number }, { progress }: ShownConnection): number | null => {
  const { done = 0, waiting = 0 } = progress ?? {};
  const since = done - began.done;
  return since <= 0 || waiting === 0 ? null : (((Date.now() - began.at) / since) * waiting) / MINUTE_MS;
};

const isAtRest = ({ status, lastSyncRun, progress }: ShownConnection): boolean =>
  status !== 'active' ||
  (lastSyncRun !== undefined && lastSyncRun.status !== 'running' && progress?.waiting === 0) ||
  lastSyncRun?.status === 'failed';

/** Others that are added to the tags meanwhile are not waited for. */
const followProcessing = async (
  { client, print, host }: CommandWork,
  connection: ShownConnection,
): Promise<void> => {
  const { containerTags } = connection;
  const list = async () =>
    (
      await client.call(listProcessingDocuments, containerTags === undefined ? {} : { containerTags })
    ).documents.map(({ id }) => id);
  let left = new Set(await list());
  let changed = Date.now();
  while (left.size > 0 && Date.now() - changed < STALLED_MS) {
    print.progress(`${progressLine(connection, null)} · ${plural(left.size, 'document')} being processed`);
    await sleep(LOOK_MS);
    const listed = new Set(await list());
    const still = left.intersection(listed);
    if (still.size < left.size) changed = Date.now();
    left = still;
  }
  if (left.size > 0)
    print.note(
      `${plural(left.size, 'document')} still being processed: ${host.invocation} status shows how it goes on.`,
    );
};

export interface Followed {
  readonly id: string;
  /** The run that is followed started later than this. */
  readonly since: number;
  /** Called once for each status in which a person is waited for; missing: nobody is waited for. */
  readonly onWaiting?: (status: WaitingStatus) => void;
}

/** The statuses in which a person has to sign in or to choose. */
export type WaitingStatus = 'waiting' | 'signed_out' | 'choosing';

const isWaiting = (status: ShownConnection['status']): status is WaitingStatus =>
  status === 'waiting' || status === 'signed_out' || status === 'choosing';

/** True: a person is waited for. */
const createWaiting = (onWaiting: Followed['onWaiting']) => {
  let told: WaitingStatus | null = null;
  return ({ status }: ShownConnection): boolean => {
    if (onWaiting === undefined || !isWaiting(status)) return false;
    if (told !== status) onWaiting(status);
    told = status;
    return true;
  };
};

/** Until the run has ended and its documents can be found. */
export const followSync = async (
  work: CommandWork,
  { id, since, onWaiting }: Followed,
): Promise<ShownConnection> => {
  const { client, print } = work;
  const waitsForPerson = createWaiting(onWaiting);
  let began: { at: number; done: number } | null = null;
  for (; ; await sleep(LOOK_MS)) {
    const connection = await client.call(getConnection, { connection: id });
    if (waitsForPerson(connection)) continue;
    began ??= { at: Date.now(), done: connection.progress?.done ?? 0 };
    const started = Date.parse(connection.lastSyncRun?.startedAt ?? '');
    const isThisRun = connection.status !== 'active' || started >= since;
    if (isThisRun && isAtRest(connection)) {
      if (connection.status === 'active') await followProcessing(work, connection);
      return connection;
    }
    print.progress(progressLine(connection, minutesLeft(began, connection)));
  }
};
