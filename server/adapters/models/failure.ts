/** A failure of an installation, as a sentence for the person who asked for it. */
export class ModelFailure extends Error {
  /** True: the same attempt may succeed a moment later. */
  readonly isPassing: boolean;

  constructor(message: string, { cause, isPassing = false }: { cause?: unknown; isPassing?: boolean } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ModelFailure';
    this.isPassing = isPassing;
  }
}
