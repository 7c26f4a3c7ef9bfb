// The declaration of a kind of server: how it lists its models. One file a kind in kinds/.
import type { ServerModel } from './port.ts';

/** Asks a server for JSON: a GET, or a POST with a body. Null: it refuses. */
export type AskServer = (path: string, body?: object) => Promise<unknown>;

export interface ServerKind {
  /** The first part of the names of its models. */
  readonly name: string;
  readonly title: string;
  /** Null: something else answers there. No text of a user is sent. */
  readonly list: (ask: AskServer) => Promise<readonly ServerModel[] | null>;
  /** Completes what the list does not say. */
  readonly describe?: (ask: AskServer, model: ServerModel) => Promise<ServerModel>;
  /** One name for the names that mean the same model. */
  readonly shortName?: (model: string) => string;
}

export const serverKind = (kind: ServerKind): ServerKind => kind;
