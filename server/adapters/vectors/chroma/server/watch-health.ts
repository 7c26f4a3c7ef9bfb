// Watches one run of the local Chroma and ends it when it no longer works.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { backgroundPause } from '../../../../lib/async/wait.ts';
import { createChromaHttp, heartbeat } from '../http.ts';
import type { ChromaLog, ChromaRun } from './launch.ts';

const MISSED_HEARTBEATS = 6;

export interface HealthWatch {
  readonly folder: string;
  readonly log: ChromaLog;
  /** The time between two heartbeats, and the longest wait for one: together less than five seconds. */
  readonly timing: { readonly heartbeatMs: number; readonly silenceMs: number };
  /** Called after each heartbeat: whether it was answered. */
  beat(answered: boolean): void;
}

/** The file itself and not its name: Chroma makes an empty file of that name when the folder was deleted. */
const fileIdentity = (file: string): string | null => {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
};

/** Ends a run that hangs, or whose folder was deleted under it so that it would refuse every write. */
export const watchHealth = async (run: ChromaRun, watch: HealthWatch): Promise<void> => {
  const { heartbeatMs, silenceMs } = watch.timing;
  const http = createChromaHttp({ url: () => run.url });
  const file = join(watch.folder, 'chroma.sqlite3');
  const before = fileIdentity(file);
  let over = false;
  void run.exited.then(() => {
    over = true;
  });
  let missed = 0;
  let gone = false;
  while (missed < MISSED_HEARTBEATS && !gone) {
    await backgroundPause(heartbeatMs);
    if (over) return;
    const beats = await heartbeat(http, { limitMs: silenceMs }).catch(() => false);
    if (over) return;
    watch.beat(beats);
    missed = beats ? 0 : missed + 1;
    gone = before !== null && fileIdentity(file) !== before;
  }
  const why = gone ? "Chroma's folder is gone: it is ended." : 'Chroma no longer answers: it is ended.';
  watch.log('warn', why);
  run.kill();
};
