// The processes that share a database, as one of them knows them.
import type { ProcessRole } from './role.ts';
import type { Signals } from './signals.ts';

/** Another process on the same database. */
export interface FellowProcess {
  readonly place: string;
  readonly role: ProcessRole;
  /** The last state of its work that it told. */
  readonly state: unknown;
}

export interface CompanyHooks {
  /** The state of its work that this process tells the others. */
  state(): Promise<unknown>;
  /** Called after the others have told their state. */
  met(): Promise<void>;
  /** Other embedding spaces are in use: resolves when this process works with them. */
  spacesChanged(): Promise<void>;
}

/** The processes that share a database, this one among them. */
export interface Company {
  readonly signals: Signals;
  /** The name of this process. */
  readonly id: string;
  readonly place: string;
  /** The others that are alive. */
  fellows(): readonly FellowProcess[];
  /** False: it hears no signals, so it learns of changes when it looks. */
  hears(): boolean;
  watch(hooks: CompanyHooks): void;
  /** Tells the workers what an answer returned. Neither waits nor throws. */
  served(tags: readonly string[], texts: readonly string[]): void;
  /** Resolves when all processes work with the present embedding spaces, or after a time. */
  agreed(): Promise<void>;
}
