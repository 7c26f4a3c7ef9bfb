// How commands fail: a sentence, an exit code, and for programs what else is known.

export const FAILED = 1;
export const MISUSED = 2;

/** The message is a sentence for whoever typed the command. */
export class CommandFailure extends Error {
  readonly exitCode: number;
  /** Joins `error` in what `--json` prints. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    message: string,
    options: { exitCode?: number; facts?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CommandFailure';
    this.exitCode = options.exitCode ?? FAILED;
    this.facts = options.facts ?? {};
  }
}

export const misused = (message: string): CommandFailure =>
  new CommandFailure(message, { exitCode: MISUSED });

export const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
