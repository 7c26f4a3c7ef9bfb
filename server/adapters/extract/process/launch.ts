// Starts the child process in which parsers run: with few permissions, a heap limit and an almost empty environment.
import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { entry } from '../../../lib/threads/entry.ts';
import { letProcessStepAside } from '../../../lib/threads/lower-priority.ts';
import type { ExtractLimits } from '../port.ts';
import type { ChildFolders } from './child-folders.ts';
import { permissionOptions } from './permissions.ts';

export interface Child {
  readonly process: ChildProcess;
  /** Resolves when the process is gone. */
  readonly ended: Promise<Ending>;
  /** A busy child keeps the service alive, an idle one does not. */
  busy(working: boolean): void;
  kill(): void;
}

export interface Ending {
  readonly how: string;
  /** V8 reached the limit of its heap. */
  readonly heapFull: boolean;
}

const OUTPUT_KEPT = 4_000;

export const launchChild = (limits: ExtractLimits, folders: ChildFolders): Child => {
  const child = fork(fileURLToPath(entry('../child/main', import.meta.url)), [], {
    execArgv: [
      ...permissionOptions(folders),
      `--max-old-space-size=${limits.heapMb}`,
      '--max-semi-space-size=16',
    ],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8' },
  });
  // Several files at once take all cores, and calls come first.
  letProcessStepAside(child);
  return {
    process: child,
    ended: endingOf(child),
    busy(working) {
      const handles = [child, child.channel, child.stderr as Socket | null];
      for (const handle of handles) working ? handle?.ref() : handle?.unref();
    },
    kill() {
      child.kill('SIGKILL');
    },
  };
};

const endingOf = (child: ChildProcess): Promise<Ending> => {
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (output.length < OUTPUT_KEPT) output += text.slice(0, OUTPUT_KEPT);
  });
  return new Promise((resolve) => {
    const end = (how: string) => resolve({ how, heapFull: /heap out of memory|heap limit/i.test(output) });
    child.once('error', (error) => end(error.message));
    // Not `exit`: the last output may arrive after that event.
    child.once('close', (code, signal) => end(signal ?? `exit code ${code}`));
  });
};
