// Work that operators watch: how long it took and whether it failed, for metrics and traces. No content passes here.

/** Ids, numbers and fixed words. */
export type WorkFacts = Readonly<Record<string, string | number | boolean>>;

export interface WatchedWork<T> {
  readonly facts?: WorkFacts;
  /** The code of a failure that the result tells; null: it succeeded. Work that throws failed anyway. */
  readonly failureOf?: (result: T) => string | null;
}

/** Runs the work and passes on its result or its error. */
export type WorkWatch = <T>(name: string, work: () => Promise<T>, watched?: WatchedWork<T>) => Promise<T>;

export const unwatched: WorkWatch = (_name, work) => work();

/** The name of a write to the store. */
export const STORE_WRITE = 'store.write';

/** One step of background work, after its end. */
export interface StepSample {
  readonly step: string;
  readonly ms: number;
  /** The code of the failure; null: it succeeded. */
  readonly failure: string | null;
}

/** The first one sees the time that the others need. */
export const watchedByAll = (watches: readonly WorkWatch[]): WorkWatch =>
  watches.reduceRight<WorkWatch>(
    (inner, outer) => (name, work, watched) => outer(name, () => inner(name, work, watched), watched),
    unwatched,
  );

const CODE = /^[a-z][a-z0-9_]{0,39}$/;

/** A fixed word; whatever else was thrown is a bug. */
export const failureCode = (error: unknown): string => {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' && CODE.test(code) ? code : 'internal_error';
};
