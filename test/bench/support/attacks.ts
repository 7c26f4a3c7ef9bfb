// The worst that a tag can do to slow others: costly filters, a long text, bodies that are held, small hostile files.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  basedLinks,
  hugePicture,
  longAttribute,
  lyingPng,
  sharedText,
} from '../../adapters/extract/fixtures/bombs.ts';
import { textOf } from './texts.ts';

export const ATTACKS = ['filters', 'long text', 'held bodies', 'hostile files'] as const;
export type Attack = (typeof ATTACKS)[number];

/** The attacking tag, with a key of its own. */
export interface Attacker {
  readonly url: string;
  readonly tag: string;
  readonly key: string;
}

export const FILTERED_DOCUMENTS = 1200;
/** The bounds of metadata and filters. */
const METADATA_CHARACTERS = 4095;
const CONDITIONS = 20;
const NEEDLE_CHARACTERS = 256;

const LONG_CHARACTERS = 1_000_000;
const LONG_TEXTS = 2;
const HELD_BODIES = 40;
const HELD_BYTES = 47 * 1024 * 1024;
const PART_BYTES = 64 * 1024;
const MEGABYTE = 1_000_000;
const PAUSE_MS = 100;

/** Each comparison reads nearly the whole needle before it fails. */
export const filteredMetadata = { long: 'b'.repeat(METADATA_CHARACTERS) };

const COSTLY = {
  OR: Array.from({ length: CONDITIONS }, (_, at) => ({
    key: 'long',
    value: `${'b'.repeat(NEEDLE_CHARACTERS - 2)}c${at % 10}`,
    filterType: 'string_contains',
    ignoreCase: at < CONDITIONS / 2,
  })),
};

/** Any answer counts, a refusal as well. */
const send = async (
  { url, key }: Attacker,
  path: string,
  body: string | FormData,
  signal: AbortSignal,
): Promise<void> => {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : undefined;
  const headers = { authorization: `Bearer ${key}`, ...type };
  try {
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal });
    await answer.arrayBuffer();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};

const FILTERS_AT_ONCE = 4;

/** Lists and searches, each again as soon as it is answered. */
const sendFilters = async (attacker: Attacker, signal: AbortSignal): Promise<void> => {
  const body = { containerTag: attacker.tag, filters: COSTLY };
  const list = JSON.stringify({ containerTags: [attacker.tag], filters: COSTLY });
  const search = JSON.stringify({ q: 'note', ...body });
  const loop = async (path: string, sent: string) => {
    while (!signal.aborted) await send(attacker, path, sent, signal);
  };
  const pairs = Array.from({ length: FILTERS_AT_ONCE }, () => [
    loop('/v3/documents/list', list),
    loop('/v4/search', search),
  ]);
  await Promise.all(pairs.flat());
};

const sendLongTexts = async (attacker: Attacker, signal: AbortSignal): Promise<void> => {
  const texts = Array.from({ length: LONG_TEXTS }, () =>
    textOf(Math.floor(Math.random() * 2 ** 31), LONG_CHARACTERS),
  );
  await Promise.all(
    texts.map((content) => {
      const body = JSON.stringify({ content, containerTag: attacker.tag });
      return send(attacker, '/v3/documents', body, signal);
    }),
  );
};

/** Sends all but the end of a body as fast as it is taken, and keeps it until the server closes the connection. */
const holdBody = ({ url, key }: Attacker, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const part = Buffer.alloc(PART_BYTES, 'a');
    let left = HELD_BYTES;
    const pump = () => {
      while (left > 0 && socket.write(part)) left -= PART_BYTES;
    };
    socket.write(
      `POST /v3/documents HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${HELD_BYTES + MEGABYTE}\r\n\r\n`,
    );
    const leave = () => void socket.destroy();
    signal.addEventListener('abort', leave, { once: true });
    socket.on('data', leave).on('drain', pump);
    socket.on('error', () => undefined).on('close', () => resolve());
    pump();
  });

const holdBodies = async (attacker: Attacker, signal: AbortSignal): Promise<void> => {
  const loop = async () => {
    while (!signal.aborted) {
      await holdBody(attacker, signal);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: HELD_BODIES }, loop));
};

/** Packed once, because packing costs the attacker more than it costs the server to refuse. */
const hostileFiles = (() => {
  let files: (readonly [name: string, bytes: Buffer])[] | null = null;
  return () => {
    files ??= [
      ['picture.png', lyingPng(100 * MEGABYTE)],
      ['attribute.docx', longAttribute(150 * MEGABYTE)],
      ['links.html', Buffer.from(basedLinks(50_000, 100_000))],
      ['picture.pdf', hugePicture(60_000, 60_000)],
      ['shared.xlsx', sharedText(MEGABYTE, 52_000)],
    ];
    return files;
  };
})();

/** Each file twice. */
const sendFiles = async (attacker: Attacker, signal: AbortSignal): Promise<void> => {
  const files = hostileFiles();
  await Promise.all(
    [...files, ...files].map(([name, bytes]) => {
      const form = new FormData();
      form.set('containerTag', attacker.tag);
      form.set('file', new Blob([new Uint8Array(bytes)]), name);
      return send(attacker, '/v3/documents/file', form, signal);
    }),
  );
};

const RUN: Readonly<Record<Attack, (attacker: Attacker, signal: AbortSignal) => Promise<void>>> = {
  filters: sendFilters,
  'long text': sendLongTexts,
  'held bodies': holdBodies,
  'hostile files': sendFiles,
};

/** Makes what is sent, so that making it is not measured. */
export const prepareAttack = (attack: Attack): void => {
  if (attack === 'hostile files') hostileFiles();
};

export const runAttack = (attack: Attack, attacker: Attacker, signal: AbortSignal): Promise<void> =>
  RUN[attack](attacker, signal);
