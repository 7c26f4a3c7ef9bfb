// Plays the tour against a server and returns each answer with placeholders.
import { setTimeout as sleep } from 'node:timers/promises';
import { choice, connect, register } from '../support/oauth.ts';
import { building } from './building.ts';
import { changing } from './changing.ts';
import { createPlaceholders, type Placeholders } from './placeholders.ts';
import { reading } from './reading.ts';
import { TOUR_KEY } from './server.ts';
import type { Step } from './step.ts';

export interface Entry {
  title: string;
  operation: string | null;
  request: string;
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

const POLL_MS = 25;
const LONGEST_WAIT_MS = 60_000;

/** Headers that the connection or the length of a timing decides. */
const UNSTABLE_HEADERS = new Set(['date', 'connection', 'keep-alive', 'content-length', 'transfer-encoding']);

interface Tour {
  readonly url: string;
  /** Replaces the usual key. */
  readonly key?: string;
  readonly saved: Map<string, string>;
  readonly placeholders: Placeholders;
  readonly entries: Entry[];
}

export interface Received {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

const parseBody = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A name that no answer gave yet stands for nothing that exists. */
const fillReferences = ({ saved }: Pick<Tour, 'saved'>, text: string): string =>
  text.replace(/\$(\w+)/g, (_all, name: string) => saved.get(name) ?? 'nobody');

const bodyOfStep = (
  tour: Pick<Tour, 'saved'>,
  { body, form }: Step,
): { body?: string | FormData; type?: string } => {
  if (form !== undefined) {
    const parts = new FormData();
    for (const [name, value] of Object.entries(form.fields)) parts.append(name, value);
    parts.append('file', new File([form.file.text], form.file.name, { type: form.file.type }));
    return { body: parts };
  }
  if (body === undefined) return {};
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { body: fillReferences(tour, text), type: 'application/json' };
};

const send = async (tour: Pick<Tour, 'url' | 'saved' | 'key'>, step: Step): Promise<Received> => {
  const key =
    step.as === undefined ? (tour.key ?? TOUR_KEY) : step.as === null ? null : tour.saved.get(step.as);
  const { body, type } = bodyOfStep(tour, step);
  const answer = await fetch(tour.url + fillReferences(tour, step.path), {
    method: step.method,
    redirect: 'manual',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([name]) => !UNSTABLE_HEADERS.has(name))),
    body: parseBody(await answer.text()),
  };
};

const valueAt = (body: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
      body,
    );

const isReached = (step: Step, { body }: Received): boolean =>
  Object.entries(step.until ?? {}).every(([path, values]) => values.includes(valueAt(body, path)));

/** Sends one request, until its answer is the awaited one, and keeps what later requests need. */
export const askStep = async (tour: Pick<Tour, 'url' | 'saved' | 'key'>, step: Step): Promise<Received> => {
  const end = performance.now() + LONGEST_WAIT_MS;
  let received = await send(tour, step);
  while (!isReached(step, received)) {
    if (performance.now() > end)
      throw new Error(`"${step.title}" waited in vain: ${JSON.stringify(received)}`);
    await sleep(POLL_MS);
    received = await send(tour, step);
  }
  for (const [name, path] of Object.entries(step.save ?? {})) {
    const value = valueAt(received.body, path);
    if (typeof value !== 'string')
      throw new Error(`"${step.title}" gave no ${path}: ${JSON.stringify(received)}`);
    tour.saved.set(name, value);
  }
  return received;
};

const play = async (tour: Tour, step: Step): Promise<void> => {
  const { status, headers, body } = await askStep(tour, step);
  tour.entries.push({
    title: step.title,
    operation: step.operation,
    request: `${step.method} ${step.path}`,
    status,
    headers: tour.placeholders(headers) as Record<string, unknown>,
    body: tour.placeholders(body),
  });
};

/** The first step of each operation, and so one request that names everything the operation needs. */
const firstOfEach = (): Step[] =>
  [
    ...new Map(
      [...building, ...reading, ...changing]
        .toReversed()
        .filter(({ operation }) => operation !== null)
        .map((step) => [step.operation, step]),
    ).values(),
  ].toReversed();

const withoutKey = ({ save: _save, until: _until, ...step }: Step): Step => ({
  ...step,
  title: `${step.operation}: without a key`,
  as: null,
});

const withReader = ({ save: _save, until: _until, ...step }: Step): Step => ({
  ...step,
  title: `${step.operation}: with a key that may read one other tag`,
  as: 'reader',
});

const withBadBody = ({ save: _save, until: _until, form: _form, ...step }: Step): Step => ({
  ...step,
  title: `${step.operation}: with a body that is a list`,
  body: '[]',
});

const refusals = (): Step[] => {
  const steps = firstOfEach();
  return [
    ...steps.map(withoutKey),
    ...steps.map(withReader),
    ...steps.filter(({ body }) => body !== undefined).map(withBadBody),
  ];
};

/** Makes a grant through the connect page, because no operation makes one. */
const makeGrant = async (url: string): Promise<void> => {
  const { client_id: clientId } = (await (await register({ url })).json()) as { client_id: string };
  const program = await connect({ url }, clientId, { scope: 'memory:read memory:write' });
  await program.tokens(TOUR_KEY, choice('read', ['office']));
};

export const playTour = async (url: string): Promise<Entry[]> => {
  const tour: Tour = { url, saved: new Map(), placeholders: createPlaceholders(url), entries: [] };
  for (const step of building) await play(tour, step);
  await makeGrant(url);
  for (const step of [...reading, ...refusals(), ...changing]) await play(tour, step);
  return tour.entries;
};
