// The language model that the settings name, or that a person chose from a server on this machine.
import { modelInUse } from '../../lib/models/model-folder.ts';
import { type ServerPlace, serverConnection } from '../../lib/models/server-models.ts';
import type { OpenAiConnection } from '../../lib/openai/client.ts';

export interface LanguageModelSettings {
  /** Null: the settings name no model. */
  readonly reading: OpenAiConnection | null;
  /** The folder that holds the choice of a person. */
  readonly local: { readonly folder: string };
  readonly localServers: readonly ServerPlace[];
}

/** Null: no model; rules draw the memories. */
export const chosenLanguageModel = ({
  reading,
  local,
  localServers,
}: LanguageModelSettings): OpenAiConnection | null =>
  reading ?? serverConnection(localServers, modelInUse(local.folder, 'chat'));
