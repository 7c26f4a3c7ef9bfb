// Many calls of a webhook at once: genuine, repeated, forged and large ones, against a server process.
import { median } from '../../bench/support/numbers.ts';
import { until } from '../../crash/api.ts';
import {
  connectDrive,
  runsOf,
  type SyncedServer,
  startSyncedServer,
  synced,
} from '../support/synced-server.ts';
import { atMost, type ConnectionRow, exactly, type Figure, seen } from './row.ts';

const BASE = 'https://memoir.example';
const GENUINE = 500;
const BAD = 10_000;
const AT_ONCE = 8;
const LARGE_BYTES = 25 * 1024 * 1024;
const LARGE_BODIES = 4;
const PAIRS = 5;
const SMALL_IN_LARGE = 25;
const MIB = 1024 * 1024;
const SOON_MS = 5_000;
const MOST_MS = 200;

interface Channel {
  readonly url: string;
  readonly id: string;
  readonly token: string;
}

interface Called {
  readonly status: number;
  readonly ms: number;
}

const headersOf = ({ id, token }: Channel, message: number | string): Record<string, string> => ({
  ...{ 'x-goog-channel-id': id, 'x-goog-channel-token': token },
  ...{ 'x-goog-message-number': String(message), 'x-goog-resource-state': 'change' },
});

const post = async (url: string, headers: Record<string, string>, body?: Buffer): Promise<Called> => {
  const began = performance.now();
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    ...(body === undefined ? {} : { body: body as never }),
  });
  await answer.arrayBuffer();
  return { status: answer.status, ms: performance.now() - began };
};

/** So many calls, some of them at once. */
const callMany = async (count: number, call: (number: number) => Promise<Called>): Promise<Called[]> => {
  const called: Called[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) called.push(await call(number));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return called;
};

const p99 = (called: readonly Called[]): number => {
  const sorted = called.map(({ ms }) => ms).sort((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
};

const counts = (called: readonly Called[]): string =>
  [...Map.groupBy(called, ({ status }) => status)]
    .map(([status, all]) => `${status}: ${all.length}`)
    .join(', ');

const looksByEvent = async (server: SyncedServer, id: string): Promise<number> =>
  ((await runsOf(server, id)) as { triggerType?: string }[]).filter(
    ({ triggerType }) => triggerType === 'event',
  ).length;

const openChannel = async (server: SyncedServer): Promise<{ id: string; channel: Channel }> => {
  const { drive } = server;
  const url = server.running()?.url ?? '';
  drive.hookCalls.reach(BASE, url);
  drive.addFile('ferry.txt', 'The ferry leaves at noon.');
  const id = await connectDrive(server, 'webhooks');
  await synced(server, id);
  await until('the channel', SOON_MS * 4, async () => drive.channels.size === 1);
  await drive.hookCalls.settled();
  const [made] = drive.channels.values();
  const channel = {
    url: `${url}${new URL(made?.address ?? '').pathname}`,
    id: made?.id ?? '',
    token: made?.token ?? '',
  };
  return { id, channel };
};

const residentMib = async (pid: number): Promise<number> => {
  const { readFile } = await import('node:fs/promises');
  const kib = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib ?? 0) / 1024;
};

/** The most that the process held while so many bodies of this size came, all of them with a wrong secret. */
const mostMib = async (
  pid: number,
  channel: Channel,
  { bodies, bytes }: { bodies: number; bytes: number },
): Promise<number> => {
  const body = Buffer.alloc(bytes, 'x');
  const headers = { ...headersOf(channel, 1), 'x-goog-channel-token': 'forged' };
  let most = 0;
  for (let n = 0; n < bodies; n++) {
    const called = post(channel.url, headers, body);
    let over = false;
    void called.finally(() => {
      over = true;
    });
    while (!over) {
      most = Math.max(most, await residentMib(pid));
      await new Promise((resolve) => setImmediate(resolve));
    }
    if ((await called).status !== 403) throw new Error(`A body was answered with ${(await called).status}.`);
  }
  return most;
};

/**
 * A body in one piece against the same bytes in small ones, because the sockets of a server use memory for both. The median of
 * pairs, because what was collected meanwhile moves a single one by more than the bound.
 */
const memoryOfLarge = async (pid: number, channel: Channel): Promise<number> => {
  const small = { bodies: LARGE_BODIES * SMALL_IN_LARGE, bytes: LARGE_BYTES / SMALL_IN_LARGE };
  const large = { bodies: LARGE_BODIES, bytes: LARGE_BYTES };
  await mostMib(pid, channel, small);
  const differences: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const ofSmall = await mostMib(pid, channel, small);
    differences.push((await mostMib(pid, channel, large)) - ofSmall);
  }
  return median(differences);
};

const measure = async (server: SyncedServer): Promise<Figure[]> => {
  const { id, channel } = await openChannel(server);
  const mib = await memoryOfLarge(server.running()?.pid ?? 0, channel);
  const began = performance.now();
  await post(channel.url, headersOf(channel, 'first'));
  await until('a look', SOON_MS * 2, async () => (await looksByEvent(server, id)) === 1);
  const soon = Math.round(performance.now() - began);
  const genuine = await callMany(GENUINE, (n) => post(channel.url, headersOf(channel, `g${n}`)));
  const repeated = await callMany(BAD / 2, () => post(channel.url, headersOf(channel, 'g1')));
  const forged = await callMany(BAD / 2, (n) =>
    n % 2 === 0
      ? post(channel.url, { ...headersOf(channel, n), 'x-goog-channel-token': 'forged' })
      : post(channel.url.replace(channel.url.slice(-43), 'x'.repeat(43)), headersOf(channel, n)),
  );
  const all = [...genuine, ...repeated, ...forged];
  return [
    atMost('ms from a genuine call to its look', soon, SOON_MS),
    seen('answers to 500 genuine calls', counts(genuine)),
    seen('answers to 5,000 repeated calls', counts(repeated)),
    seen('answers to 5,000 forged calls', counts(forged)),
    atMost('looks within the minute of all of them', await looksByEvent(server, id), 2),
    exactly('genuine calls that were not taken', genuine.filter(({ status }) => status !== 202).length, 0),
    atMost('p99 of an answer, ms', p99(all), MOST_MS),
    atMost(`MiB that a body of ${LARGE_BYTES / MIB} MiB costs more than small ones`, Math.round(mib), 5),
  ];
};

export const webhooks: ConnectionRow = {
  name: 'webhooks',
  requirements: [14],
  async run(_sizes, say) {
    say('Calls with and without proof, and large ones.');
    await using server = await startSyncedServer({
      env: {
        MEMOIR_BASE_URL: BASE,
        MEMOIR_TRUSTED_PROXIES: 'loopback',
        MEMOIR_CONNECTIONS_LOOK_MINUTES: '0',
      },
    });
    return await measure(server);
  },
};
