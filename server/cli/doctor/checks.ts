// The checks of `memoir doctor`. A failed check does not stop those that do not depend on it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listModels } from '../../../tools/models/list.ts';
import { spacesStatus } from '../../../tools/spaces/status.ts';
import type { PartHealth } from '../../core/health.ts';
import { pause } from '../../lib/async/wait.ts';
import { messageOf } from '../../lib/failures.ts';
import type { Client } from '../connection/client.ts';
import type { Host } from '../host.ts';
import { unlessForbidden } from '../unless-forbidden.ts';

export interface CheckResult {
  part: string;
  ok: boolean;
  /** The finding, or the error and its remedy. */
  detail: string;
}

/** Returns the finding; throws an error with a sentence if the check fails. */
export type Check = () => Promise<string> | string;

export const runCheck = async (part: string, check: Check): Promise<CheckResult> => {
  try {
    return { part, ok: true, detail: await check() };
  } catch (error) {
    return { part, ok: false, detail: messageOf(error) };
  }
};

/** The same version as in package.json. */
export const NEEDED_NODE = '24.15';
const SETTLE_MS = 5_000;
const POLL_MS = 50;

export const checkNode = (): string => {
  const { node } = process.versions;
  if (node.localeCompare(NEEDED_NODE, 'en', { numeric: true }) >= 0) return node;
  throw new Error(
    `Memoir needs Node ${NEEDED_NODE} or newer, and this is Node ${node}. Install a newer Node.`,
  );
};

export const checkFolder = (dir: string): string => {
  const file = join(dir, `.doctor-${process.pid}`);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    writeFileSync(file, 'doctor');
    rmSync(file);
  } catch (cause) {
    throw new Error(
      `${dir} cannot be written: ${messageOf(cause)}. Give this user write permission, or choose another folder with MEMOIR_DATA_DIR.`,
      { cause },
    );
  }
  return `${dir} can be written`;
};

export const checkLock = (dir: string, host: Host): string => {
  const run = host.running(dir);
  if (run === null) return 'free: no server runs on the folder';
  return run.url === null
    ? `held by another memoir command (process ${run.pid})`
    : `held by the server at ${run.url} (process ${run.pid})`;
};

const partResult = ([part, { status, detail }]: [string, PartHealth]): CheckResult => ({
  part,
  // A degraded part still serves, so it is reported and does not fail the check.
  ok: status !== 'down',
  detail: detail === undefined ? status : `${status}: ${detail}`,
});

const rerankerText = async (client: Client): Promise<string> => {
  const { models } = await client.call(listModels, {});
  const reranker = models.find(({ for: purpose, serves }) => purpose === 'reranking' && serves);
  return reranker === undefined ? '' : `, and ${reranker.name} for reranking`;
};

/** The models that searches use. A key that is bound to container tags may not know. */
export const checkModel = async (client: Client): Promise<string> => {
  const spaces = await unlessForbidden(client.call(spacesStatus, {}));
  if (spaces === null) return 'not shown to a key that is bound to container tags';
  if (spaces.active === null) return 'none yet';
  const { embedder, model } = spaces.active;
  const next = embedder === 'builtin' ? '; for meaning in other words: memoir models add minilm' : '';
  return `${embedder} ${model}${await rerankerText(client)}${next}`;
};

/** The health of the parts as the service reports it; parts that have just started get time to become ready. */
export const checkParts = async (client: Client): Promise<CheckResult[]> => {
  const began = performance.now();
  for (;;) {
    const health = await client.health();
    if (health.parts === null)
      return [{ part: 'parts', ok: true, detail: 'not shown to a key that is bound to container tags' }];
    const parts = Object.entries(health.parts);
    const late = performance.now() - began > SETTLE_MS;
    if (late || parts.every(([, { status }]) => status === 'ok')) return parts.map(partResult);
    await pause(POLL_MS);
  }
};
