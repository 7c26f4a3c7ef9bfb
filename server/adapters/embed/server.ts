// Gets embeddings from a server on this machine. `memoir models use ollama:nomic-embed-text` chooses one of its models.
import { IngestError } from '../../core/errors.ts';
import { modelInUse, mostTokensOf } from '../../lib/models/model-folder.ts';
import { readServerModel, type ServerPlace, serverConnection } from '../../lib/models/server-models.ts';
import type { CallLimits } from '../../lib/openai/client.ts';
import { embedderKind } from './kind.ts';
import { modelFamily } from './model-families.ts';
import { createOpenAiEmbedder, learnDimensions } from './openai.ts';
import type { Embedder } from './port.ts';

/** The settings of this embedder. */
interface Settings {
  readonly local: {
    /** The folder that holds the choice. */
    readonly folder: string;
    /** Not null: the settings name the embedder, and no choice counts. */
    readonly setting: string | null;
  };
  readonly localServers: readonly ServerPlace[];
}

const NAME = 'server';

/** The server may have to load the model first. */
const FIRST_CALL: CallLimits = {
  timeoutMs: 60_000,
  retries: { attempts: 1, firstWaitMs: 0, longestWaitMs: 0 },
};

/** English prose has more characters in a token; a text that is still too long is cut again. */
const CHARACTERS_PER_TOKEN = 3;
const MOST_CHARACTERS = 8_000;

/** Null: an embedder of another kind. */
const chosenName = ({ local }: Settings): string | null => {
  if (local.setting !== null) return null;
  const name = modelInUse(local.folder, 'embedding');
  return name === null || readServerModel(name) === null ? null : name;
};

const notLookedAt = (name: string): IngestError =>
  new IngestError(
    'embedding_settings',
    `The model ${name} is chosen, and MEMOIR_LOCAL_SERVERS does not name its server. Add the server there, or go back with "memoir models use builtin".`,
  );

/** Null: its server is not looked at. */
const openServerEmbedder = (
  { local, localServers }: Settings,
  name: string,
  dimensions: number,
): Embedder | null => {
  const connection = serverConnection(localServers, name);
  if (connection === null) return null;
  const mostTokens = mostTokensOf(local.folder, name);
  const charactersPerPassage =
    mostTokens === null ? MOST_CHARACTERS : Math.min(MOST_CHARACTERS, mostTokens * CHARACTERS_PER_TOKEN);
  const { prefixes, onlyEnglish } = modelFamily(connection.model);
  const embedder = createOpenAiEmbedder({
    ...connection,
    dimensions,
    sendDimensions: false,
    prefixes,
    limits: { charactersPerPassage },
  });
  return { ...embedder, onlyEnglish, space: { embedder: NAME, model: name, dimensions } };
};

export const serverEmbedder = embedderKind({
  name: NAME,
  requestedSpace: (settings: Settings) => {
    const name = chosenName(settings);
    return name === null ? null : { embedder: NAME, model: name, dimensions: null };
  },
  open: async (settings) => {
    const name = chosenName(settings) ?? '';
    const connection = serverConnection(settings.localServers, name);
    if (connection === null) throw notLookedAt(name);
    const embedder = openServerEmbedder(
      settings,
      name,
      await learnDimensions({ ...connection, queryCallLimits: FIRST_CALL }),
    );
    if (embedder === null) throw notLookedAt(name);
    return embedder;
  },
  openStored: (settings, { model, dimensions }) => openServerEmbedder(settings, model, dimensions),
});
