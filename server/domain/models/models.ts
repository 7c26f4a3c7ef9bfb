// The models on this machine, those inside Memoir and those of servers: installs, removes and chooses them. A change of
// the embedding model is an online reindex.
import type { LocalServers } from '../../adapters/local-servers/port.ts';
import type { InstallProgress, ListedModel, ModelLibrary } from '../../adapters/models/port.ts';
import { badRequest, conflict, notFound } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { OWNER_ID, type Principal } from '../../core/principal.ts';
import type { ModelPurpose } from '../../lib/models/model-folder.ts';
import { readServerModel } from '../../lib/models/server-models.ts';
import type { SpaceStatus, Spaces } from '../spaces/spaces.ts';
import { type ChosenServerModel, chooseServerModel } from './choose-server-model.ts';
import { lookAtServers, type ServerState, type ServersAtStart, serverStates } from './server-states.ts';

export interface ModelState {
  name: string;
  kind: 'transformer' | 'static';
  use: string;
  languages: string;
  licence: string;
  megabytes: number;
  dimensions: number;
  isOwn: boolean;
  installed: boolean;
  /** True if searches use it. */
  serves: boolean;
  installedAt: string | null;
  source: string | null;
  /** The SHA-256 of each installed file. */
  files: Record<string, string> | null;
  installing: { step: 'model' | 'runtime'; bytes: number; total: number | null } | null;
  /** The reason why the last installation failed; null: it did not. */
  trouble: string | null;
}

export interface Models {
  list(): Promise<ModelState[]>;
  /** Starts the installation and answers at once. */
  add(name: string, from: string | null, by: Principal): Promise<ModelState[]>;
  remove(name: string): Promise<ModelState[]>;
  /** The servers on this machine that answer, with their models. */
  servers(): Promise<ServerState[]>;
  /** A short look at the servers, for the start. */
  look(withinMs: number): Promise<ServersAtStart>;
  /**
   * Chooses a model: an embedding model starts a reindex, a chat model reads what comes from now on. "builtin" goes back.
   * Null as the purpose: what the model is for.
   */
  use(name: string, purpose: ModelPurpose | null): Promise<ChosenModel>;
  close(): Promise<void>;
}

export interface ChosenModel extends SpaceStatus {
  chosen: { name: string; for: ModelPurpose };
}

export interface ModelsDeps {
  library: ModelLibrary;
  servers: LocalServers;
  spaces: Pick<Spaces, 'status' | 'reindex'>;
  /** The models that the settings name; null: a person chooses. */
  settings: Readonly<Record<ModelPurpose, string | null>>;
  /** Another language model was chosen. */
  reloadLanguageModel: () => Promise<void>;
  log: Pick<Logger, 'info' | 'warn'>;
}

const BUILTIN = 'builtin';
/** The name of its embedder in the names of spaces. */
const LOCAL = 'local';

interface Installing {
  progress: InstallProgress;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

interface State {
  readonly deps: ModelsDeps;
  readonly installing: Map<string, Installing>;
  readonly troubles: Map<string, string>;
}

const isOf = (name: string, space: { embedder: string; model: string } | null): boolean =>
  space !== null && space.embedder === LOCAL && (space.model === name || space.model.startsWith(`${name}@`));

const listed = (deps: ModelsDeps): readonly ListedModel[] => {
  try {
    return deps.library.list();
  } catch (error) {
    throw conflict(error instanceof Error ? error.message : String(error), { cause: error });
  }
};

const named = ({ deps }: State, name: string): ListedModel => {
  if (readServerModel(name) !== null)
    throw badRequest(
      `${name} is the name of a model that a server on this machine runs: add and remove it there, and choose it with "memoir models use".`,
    );
  const models = listed(deps);
  const found = models.find(({ row }) => row.name === name);
  if (found) return found;
  const known = models.map(({ row }) => row.name).join(', ');
  throw notFound(
    `There is no model ${JSON.stringify(name)}. There are: ${known}. docs/models.md says how to describe a model of your own.`,
  );
};

const stateOf = (
  { row, isOwn, installed }: ListedModel,
  { installing, troubles }: State,
  serves: boolean,
): ModelState => ({
  name: row.name,
  kind: row.kind,
  use: row.use,
  languages: row.languages,
  licence: row.licence,
  megabytes: row.megabytes,
  dimensions: row.dimensions,
  isOwn,
  installed: installed !== null,
  serves,
  installedAt: installed?.installedAt ?? null,
  source: installed?.source ?? null,
  files: installed && { ...installed.files },
  installing: installing.get(row.name)?.progress ?? null,
  trouble: troubles.get(row.name) ?? null,
});

const listModels = async (state: State): Promise<ModelState[]> => {
  const { active } = await state.deps.spaces.status();
  return listed(state.deps).map((model) => stateOf(model, state, isOf(model.row.name, active)));
};

const startInstalling = (state: State, { row }: ListedModel, from: string | null): void => {
  const { deps, installing, troubles } = state;
  if (installing.has(row.name)) return;
  troubles.delete(row.name);
  const stop = new AbortController();
  const note = (progress: InstallProgress): void => {
    const running = installing.get(row.name);
    if (running) running.progress = progress;
  };
  const work = async (): Promise<void> => {
    try {
      await deps.library.install(row, from, note, stop.signal);
      deps.log.info({ model: row.name }, 'A model was installed.');
    } catch (error) {
      if (stop.signal.aborted) return;
      troubles.set(row.name, error instanceof Error ? error.message : String(error));
      deps.log.warn({ model: row.name, err: error }, 'A model could not be installed.');
    } finally {
      installing.delete(row.name);
    }
  };
  // The entry has to be there before the first progress.
  const begun = Promise.withResolvers<void>();
  const ended = begun.promise.then(work);
  installing.set(row.name, { progress: { step: 'model', bytes: 0, total: null }, stop, ended });
  begun.resolve();
};

const SETTINGS: Readonly<Record<ModelPurpose, string>> = {
  embedding: 'MEMOIR_EMBEDDING_MODEL',
  chat: 'OPENAI_MODEL',
};

const requireFree = ({ settings }: ModelsDeps, purpose: ModelPurpose): void => {
  const setting = settings[purpose];
  if (setting !== null)
    throw conflict(
      `${SETTINGS[purpose]} is ${JSON.stringify(setting)} and decides. Remove it from the settings and restart Memoir, then choose a model here.`,
    );
};

const useEmbeddingModel = async ({ deps }: State, name: string | null): Promise<SpaceStatus> => {
  const before = deps.library.inUse('embedding');
  deps.library.use('embedding', name);
  try {
    return await deps.spaces.reindex();
  } catch (error) {
    deps.library.use('embedding', before);
    throw error;
  }
};

const useChatModel = async ({ deps }: State, name: string | null): Promise<SpaceStatus> => {
  deps.library.use('chat', name);
  await deps.reloadLanguageModel();
  return deps.spaces.status();
};

const useInstalled = (state: State, name: string): string => {
  if (named(state, name).installed === null)
    throw conflict(`The model ${name} is not installed. Install it first: memoir models add ${name}.`);
  return name;
};

/** The model that a name means, after all that could refuse it. */
const chosenModel = async (
  state: State,
  name: string,
  purpose: ModelPurpose | null,
): Promise<Omit<ChosenServerModel, 'name'> & { name: string | null }> => {
  const { deps } = state;
  const isOfServer = readServerModel(name) !== null;
  if (purpose !== null || !isOfServer) requireFree(deps, purpose ?? 'embedding');
  if (isOfServer) {
    const chosen = await chooseServerModel(deps.servers, name, purpose);
    requireFree(deps, chosen.purpose);
    return chosen;
  }
  if (name === BUILTIN) return { name: null, purpose: purpose ?? 'embedding', mostTokens: null };
  if (purpose === 'chat')
    throw badRequest(
      `${name} is no chat model. Name the model of a server on this machine, or "builtin" for reading by rules.`,
    );
  return { name: useInstalled(state, name), purpose: 'embedding', mostTokens: null };
};

const useNamed = async (state: State, name: string, given: ModelPurpose | null): Promise<ChosenModel> => {
  const chosen = await chosenModel(state, name, given);
  const { purpose, mostTokens } = chosen;
  if (chosen.name !== null && mostTokens !== null) state.deps.library.keepMostTokens(chosen.name, mostTokens);
  const use = purpose === 'chat' ? useChatModel : useEmbeddingModel;
  return { ...(await use(state, chosen.name)), chosen: { name: chosen.name ?? BUILTIN, for: purpose } };
};

const removeModel = async (state: State, name: string): Promise<ModelState[]> => {
  const { deps, installing } = state;
  const { installed } = named(state, name);
  const { active, wanted } = await deps.spaces.status();
  if (isOf(name, active) || isOf(name, wanted))
    throw conflict(
      `Searches use the model ${name}. Go back first: memoir models use ${BUILTIN}; when its reindex is done, remove the model.`,
    );
  installing.get(name)?.stop.abort();
  await installing.get(name)?.ended;
  if (installed === null) throw conflict(`The model ${name} is not installed.`);
  deps.library.remove(name);
  return listModels(state);
};

export const createModels = (deps: ModelsDeps): Models => {
  const state: State = { deps, installing: new Map(), troubles: new Map() };
  let last: Promise<unknown> = Promise.resolve();
  return {
    list: () => listModels(state),
    async add(name, from, by) {
      if (from !== null && by.keyId !== OWNER_ID)
        throw badRequest(
          '`from` names a folder of the machine of the server, so it is for its owner alone: use the command line there.',
        );
      const model = named(state, name);
      if (from === null && model.row.hub === null)
        throw badRequest(
          `The row of the model ${name} names no repository of a hub. Install its files with --from <folder>.`,
        );
      startInstalling(state, model, from);
      return listModels(state);
    },
    remove: (name) => removeModel(state, name),
    servers: () => serverStates(deps),
    look: (withinMs) => lookAtServers(deps, withinMs),
    use(name, purpose) {
      // Two choices at once would share one reindex, and the later one would never begin.
      const chosen = last.catch(() => undefined).then(() => useNamed(state, name, purpose));
      last = chosen;
      return chosen;
    },
    async close() {
      for (const { stop } of state.installing.values()) stop.abort();
      await Promise.all([...state.installing.values()].map(({ ended }) => ended));
    },
  };
};
