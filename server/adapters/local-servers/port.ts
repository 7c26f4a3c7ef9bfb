// The port of servers on this machine that run models. They are asked for their models alone, until a person chooses one.
import type { ModelPurpose } from '../../lib/models/model-folder.ts';
import type { ServerPlace } from '../../lib/models/server-models.ts';

/** Memoir reranks with no such server. */
export type ServerPurpose = Exclude<ModelPurpose, 'reranking'>;

export interface ServerModel {
  /** As the server names it. */
  readonly model: string;
  /** Null: the server does not say it. */
  readonly purpose: ServerPurpose | null;
  /** Null: not known. */
  readonly dimensions: number | null;
  /** The longest text; null: not known. */
  readonly mostTokens: number | null;
  readonly megabytes: number | null;
}

/** A server that Memoir looks at, running or not. */
export interface LookedAtServer extends ServerPlace {
  /** As people call it: "LM Studio". */
  readonly title: string;
}

export interface FoundServer extends LookedAtServer {
  readonly models: readonly ServerModel[];
}

export interface LocalServers {
  readonly places: readonly LookedAtServer[];
  /** The names of those that answer within this time. */
  answering(withinMs: number): Promise<readonly string[]>;
  /** The servers that answer, with their models. */
  list(): Promise<readonly FoundServer[]>;
  /** Null: no such server answers. */
  find(name: string): Promise<FoundServer | null>;
  /** The model that is meant by a name; null: the server has no such model. */
  named(server: FoundServer, model: string): ServerModel | null;
  /** Sends one word, and says whether the model gave a vector. For a model that a person chose. */
  givesVectors(name: string, model: string): Promise<boolean>;
}
