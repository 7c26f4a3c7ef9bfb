// Watches one run of the local Chroma and ends it when it no longer works.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { backgroundPause } from '../../../lib/async/wait.ts';
import { createChromaHttp, heartbeat } from './http.ts';
import type { ChromaLog, ChromaRun } from './launch.ts';

const MISSED_HEARTBEATS = 3;

/** Ends a run that hangs, or whose folder was deleted under it so that it would refuse every write. */
export const watchHealth = async (
  run: ChromaRun,
  folder: string,
  log: ChromaLog,
  everyMs: number,
): Promise<void> => {
  const http = createChromaHttp({ url: () => run.url });
  const file = join(folder, 'chroma.sqlite3');
  const hadFile = existsSync(file);
  let over = false;
  void run.exited.then(() => {
    over = true;
  });
  let missed = 0;
  while (missed < MISSED_HEARTBEATS) {
    await backgroundPause(everyMs);
    if (over) return;
    const beats = await heartbeat(http, { limitMs: everyMs }).catch(() => false);
    missed = beats ? 0 : missed + 1;
    if (hadFile && !existsSync(file)) break;
  }
  if (over) return;
  log(
    'warn',
    missed > 0 ? 'Chroma no longer answers: it is ended.' : "Chroma's folder is gone: it is ended.",
  );
  run.kill();
};
