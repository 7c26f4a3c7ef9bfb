// A copy of the checkout in which faults are planted and tests run, each in a process of its own.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/source/parse.ts';

export type Outcome = { found: false } | { found: true; by: string; file: string | null };

interface Report {
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; title: string }[];
  }[];
}

export interface Checkout {
  /** Runs these test files until the first failure. */
  run(files: readonly string[], limitMs: number): Promise<Outcome>;
  /** Runs the work while the file has this text. */
  during<T>(path: string, text: string, work: () => Promise<T>): Promise<T>;
  close(): void;
}

const SURVIVED: Outcome = { found: false };

const copyFiles = (to: string): void => {
  const names = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root });
  const packed = execFileSync('tar', ['-c', '--null', '-T', '-'], {
    cwd: root,
    input: names,
    maxBuffer: 1 << 30,
  });
  execFileSync('tar', ['-x', '-C', to], { input: packed });
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'));
};

const failureIn = (dir: string, file: string): { by: string; file: string | null } => {
  try {
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const failed = testResults.find(({ status }) => status === 'failed');
    const test = failed?.assertionResults.find(({ status }) => status === 'failed');
    const path = failed === undefined ? null : failed.name.slice(dir.length + 1);
    return { by: test === undefined ? (path ?? 'a run that ended') : `${path}: ${test.title}`, file: path };
  } catch {
    return { by: 'a run that ended without a report', file: null };
  }
};

export const openCheckout = (): Checkout => {
  const dir = mkdtempSync(join(tmpdir(), 'memoir-mutation-'));
  copyFiles(dir);
  const report = join(dir, 'mutation-report.json');
  let running: number | undefined;
  const end = (): void => {
    if (running !== undefined) process.kill(-running, 'SIGKILL');
  };
  const command = [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', '--bail', '1'];
  return {
    async run(files, limitMs) {
      if (files.length === 0) return SURVIVED;
      rmSync(report, { force: true });
      const child = spawn(
        process.execPath,
        [...command, '--maxWorkers', '1', '--reporter', 'json', '--outputFile', report, ...files],
        { cwd: dir, stdio: 'ignore', detached: true },
      );
      running = child.pid;
      let late = false;
      const limit = setTimeout(() => {
        late = true;
        end();
      }, limitMs);
      const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
      running = undefined;
      clearTimeout(limit);
      if (late) return { found: true, by: `the time limit of ${limitMs / 1000} s`, file: null };
      return code === 0 ? SURVIVED : { found: true, ...failureIn(dir, report) };
    },
    async during(path, text, work) {
      const file = join(dir, path);
      const before = readFileSync(file, 'utf8');
      writeFileSync(file, text);
      try {
        return await work();
      } finally {
        writeFileSync(file, before);
      }
    },
    close() {
      end();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
