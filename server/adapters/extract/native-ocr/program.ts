// The program `tesseract` of this machine, where it is installed: it recognises the pages that the child process has decoded.
// The child itself may start no program. The program gets grey pixels behind a header that is written here, and nothing of the file.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { pgmHeader } from '../../../lib/pictures/grey-picture.ts';
import { residentMb } from '../../../lib/resident-memory.ts';
import { letProcessStepAside } from '../../../lib/threads/lower-priority.ts';
import { DEFAULT_LANGUAGES } from '../ocr/languages.ts';
import type { ExtractLog } from '../port.ts';
import type { PageToRecognise, RecognisedText } from '../protocol.ts';
import { findProgram, type InstalledProgram, programEnvironment } from './find.ts';
import { readPixels } from './pixels.ts';
import { readWordTable } from './word-table.ts';

export interface OcrProgram {
  /** True if the program is installed with the data of all languages. */
  knows(languages: readonly string[] | undefined): Promise<boolean>;
  /** Null: the program failed; the log says why. */
  recognise(page: PageOfJob): Promise<RecognisedText | null>;
}

export interface PageOfJob {
  readonly asked: PageToRecognise;
  /** The folder to which the child wrote the pixels. */
  readonly scratch: string;
  readonly languages: readonly string[] | undefined;
  readonly residentMb: number;
  readonly signal: AbortSignal;
}

export interface OcrProgramOptions {
  /** The path of the program, or "none"; undefined: looked for in the folders of PATH. */
  readonly path: string | undefined;
  readonly log: ExtractLog;
}

/** After this number of failures in a row the program is left alone until the next start. */
const MOST_FAILURES = 3;

export const createOcrProgram = ({ path, log }: OcrProgramOptions): OcrProgram => {
  let found: Promise<InstalledProgram | null> | null = null;
  let failures = 0;
  const usable = async (): Promise<InstalledProgram | null> => {
    if (failures >= MOST_FAILURES) return null;
    found ??= findProgram(path, log);
    return found;
  };
  const fail = (error: unknown): null => {
    failures++;
    const reason = error instanceof Error ? error.message : String(error);
    const pages = failures < MOST_FAILURES ? 'this page' : 'all pages until the next start';
    log.warn(
      { failures },
      `The program tesseract could not read a page: ${reason} The built-in engine reads ${pages}.`,
    );
    return null;
  };
  return {
    async knows(languages = DEFAULT_LANGUAGES) {
      const program = await usable();
      return program !== null && languages.every((language) => program.languages.has(language));
    },
    async recognise(page) {
      const program = await usable();
      if (program === null) return null;
      try {
        const recognised = readWordTable(await runProgram(program.file, page));
        failures = 0;
        return recognised;
      } catch (error) {
        return page.signal.aborted ? null : fail(error);
      }
    },
  };
};

type Running = ChildProcessByStdio<Writable, Readable, null>;

/** Resolves with what it wrote. */
const runProgram = async (file: string, page: PageOfJob): Promise<string> => {
  const { asked, scratch, languages = DEFAULT_LANGUAGES, signal } = page;
  const pixels = await readPixels(scratch, asked);
  const settings = ['-l', languages.join('+'), '--oem', '1', '--psm', '3'];
  const running = spawn(file, ['stdin', 'stdout', ...settings, 'tsv'], {
    ...{ cwd: tmpdir(), env: programEnvironment(), stdio: ['pipe', 'pipe', 'ignore'] },
    ...{ signal, killSignal: 'SIGKILL', windowsHide: true },
  });
  letProcessStepAside(running);
  // A program that ends early does not read its input; its exit code tells of it.
  running.stdin.on('error', () => undefined);
  running.stdin.write(pgmHeader(asked.width, asked.height));
  running.stdin.end(pixels);
  const { stopped, output } = watchPage(running, page);
  const code = await new Promise<number | null>((resolve, reject) => {
    running.once('error', reject);
    running.once('close', resolve);
  });
  const why = stopped();
  if (why !== null) throw new Error(why);
  if (code !== 0) throw new Error(`It ended with ${code ?? running.signalCode}.`);
  return output();
};

const MOST_OUTPUT = 16_777_216;
const WATCH_MS = 100;

interface Watched {
  /** The reason for which it was ended. */
  stopped(): string | null;
  output(): string;
}

/** Ends the program at its limits. */
const watchPage = (running: Running, { asked: { withinMs }, residentMb: mostMb }: PageOfJob): Watched => {
  let why: string | null = null;
  let output = '';
  const stop = (reason: string): void => {
    why ??= reason;
    running.kill('SIGKILL');
  };
  const timer = setTimeout(
    () => stop(`It took longer than ${Math.ceil(withinMs / 1_000)} seconds.`),
    Math.max(0, withinMs),
  );
  const memory = setInterval(() => {
    if ((residentMb(running.pid ?? 0) ?? 0) > mostMb) stop('It needed more memory than allowed.');
  }, WATCH_MS);
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.length > MOST_OUTPUT) stop('It wrote more than a page can hold.');
  });
  const end = (): void => {
    clearTimeout(timer);
    clearInterval(memory);
  };
  running.once('close', end);
  running.once('error', end);
  return { stopped: () => why, output: () => output };
};
