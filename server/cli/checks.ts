// The checks of `memoir doctor`, one after the other; a failed one does not stop those that can do without it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PartHealth } from '../service.ts';
import type { Client } from './client.ts';
import { textOf } from './failure.ts';
import type { Host } from './host.ts';

export interface Finding {
  part: string;
  ok: boolean;
  /** What was found, or what is wrong and what to do. */
  detail: string;
}

/** Gives what was found; throws a sentence for what is wrong. */
export type Check = () => Promise<string> | string;

export async function examine(part: string, check: Check): Promise<Finding> {
  try {
    return { part, ok: true, detail: await check() };
  } catch (error) {
    return { part, ok: false, detail: textOf(error) };
  }
}

/** As in package.json. */
export const NEEDED_NODE = '24.15';
const SETTLE_MS = 5_000;
const POLL_MS = 50;

export function checkNode(): string {
  const { node } = process.versions;
  if (node.localeCompare(NEEDED_NODE, 'en', { numeric: true }) >= 0) return node;
  throw new Error(`This is Node ${node}, and Memoir needs ${NEEDED_NODE} or newer. Install a newer one.`);
}

export function checkFolder(dir: string): string {
  const file = join(dir, `.doctor-${process.pid}`);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    writeFileSync(file, 'doctor');
    rmSync(file);
  } catch (cause) {
    throw new Error(
      `${dir} cannot be written: ${textOf(cause)}. Give this user the right to, or choose another with MEMOIR_DATA_DIR.`,
      { cause },
    );
  }
  return `${dir} can be written`;
}

export function checkLock(dir: string, host: Host): string {
  const run = host.running(dir);
  if (run === null) return 'free: no server runs on the folder';
  return run.url === null
    ? `held by another memoir command (process ${run.pid})`
    : `held by the server at ${run.url} (process ${run.pid})`;
}

const findingOf = ([part, { status, detail }]: [string, PartHealth]): Finding => ({
  part,
  // Degraded is told, and is no failure: it still serves.
  ok: status !== 'down',
  detail: detail === undefined ? status : `${status}: ${detail}`,
});

/** The parts as the service itself sees them; what has just been started gets a moment to be well. */
export async function checkParts(client: Client): Promise<Finding[]> {
  const began = performance.now();
  for (;;) {
    const parts = Object.entries((await client.health()).parts);
    const late = performance.now() - began > SETTLE_MS;
    if (late || parts.every(([, { status }]) => status === 'ok')) return parts.map(findingOf);
    await sleep(POLL_MS);
  }
}
