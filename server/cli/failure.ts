// The failure of a command: a sentence, an exit code, and facts for programs.

export const FAILED = 1;
export const MISUSED = 2;

/** The message is a sentence for the person who typed the command. */
export class CommandFailure extends Error {
  readonly exitCode: number;
  /** Printed beside `error` by `--json`. */
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
