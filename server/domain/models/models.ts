// The models on this machine, those inside Memoir and those of servers: installs, removes and chooses them.
import type { InstallProgress, ListedModel, ModelLibrary } from '../../adapters/models/port.ts';
import { badRequest, conflict, notFound } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { OWNER_ID, type Principal } from '../../core/principal.ts';
import type { ModelPurpose } from '../../lib/models/model-folder.ts';
import type { ModelRow } from '../../lib/models/model-row.ts';
import { readServerModel } from '../../lib/models/server-models.ts';
import { type ChosenModel, chooseModel, type ModelChoiceDeps } from './model-choice.ts';
import { lookAtServers, type ServerState, type ServersAtStart, serverStates } from './server-states.ts';

export interface ModelState {
  name: string;
  /** `ocr`: nobody chooses it; all installed languages serve. */
  for: ModelPurpose | 'ocr';
  kind: 'transformer' | 'static' | 'language';
  use: string;
  languages: string;
  licence: string;
  megabytes: number;
  /** Null: the model makes no vectors. */
  dimensions: number | null;
  isOwn: boolean;
  installed: boolean;
  /** True if searches, or the reading of scans, use it. */
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
   * Chooses a model: an embedding model starts a reindex, a chat model reads what comes from now on, and a reranker serves
   * from the next search. "builtin" goes back. Null as the purpose: what the model is for.
   */
  use(name: string, purpose: ModelPurpose | null): Promise<ChosenModel>;
  close(): Promise<void>;
}

export interface ModelsDeps extends ModelChoiceDeps {
  readonly library: ModelLibrary;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

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

const libraryModels = (deps: ModelsDeps): readonly ListedModel[] => {
  try {
    return deps.library.list();
  } catch (error) {
    throw conflict(error instanceof Error ? error.message : String(error), { cause: error });
  }
};

const managedModel = ({ deps }: State, name: string): ListedModel => {
  if (readServerModel(name) !== null)
    throw badRequest(
      `${name} is the name of a model that a server on this machine runs: add and remove it there, and choose it with "memoir models use".`,
    );
  const models = libraryModels(deps);
  const found = models.find(({ row }) => row.name === name);
  if (found) return found;
  const known = models.map(({ row }) => row.name).join(', ');
  throw notFound(
    `There is no model ${JSON.stringify(name)}. There are: ${known}. docs/models.md says how to describe a model of your own.`,
  );
};

const modelState = (
  { row, isOwn, installed }: ListedModel,
  { installing, troubles }: State,
  serves: boolean,
): ModelState => ({
  name: row.name,
  for: row.for,
  kind: row.kind,
  use: row.use,
  languages: row.languages,
  licence: row.licence,
  megabytes: row.megabytes,
  dimensions: row.for === 'embedding' ? row.dimensions : null,
  isOwn,
  installed: installed !== null,
  serves,
  installedAt: installed?.installedAt ?? null,
  source: installed?.source ?? null,
  files: installed && { ...installed.files },
  installing: installing.get(row.name)?.progress ?? null,
  trouble: troubles.get(row.name) ?? null,
});

/** True: searches with rerank use the model. */
const reranks = ({ library, settings }: ModelsDeps, name: string): boolean =>
  settings.reranking === null && library.inUse('reranking') === name;

const listModels = async (state: State): Promise<ModelState[]> => {
  const { deps } = state;
  const { active } = await deps.spaces.status();
  return libraryModels(deps).map((model) => {
    const { name, for: purpose } = model.row;
    const isInstalled = model.installed !== null;
    const serves =
      purpose === 'embedding'
        ? isOf(name, active)
        : isInstalled && (purpose === 'ocr' || reranks(deps, name));
    return modelState(model, state, serves);
  });
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

const requireUnused = async (deps: ModelsDeps, { name, for: purpose }: ModelRow): Promise<void> => {
  if (purpose === 'ocr') return;
  if (purpose === 'reranking') {
    if (!reranks(deps, name)) return;
    throw conflict(
      `Searches use the model ${name}. Go back first: memoir models use builtin --for reranking.`,
    );
  }
  const { active, wanted } = await deps.spaces.status();
  if (isOf(name, active) || isOf(name, wanted))
    throw conflict(
      `Searches use the model ${name}. Go back first: memoir models use builtin; when its reindex is done, remove the model.`,
    );
};

const removeModel = async (state: State, name: string): Promise<ModelState[]> => {
  const { deps, installing } = state;
  const { row, installed } = managedModel(state, name);
  await requireUnused(deps, row);
  installing.get(name)?.stop.abort();
  await installing.get(name)?.ended;
  if (installed === null)
    throw conflict(`The model ${name} is not installed, so there is nothing to remove.`);
  deps.library.remove(name);
  // A choice that the settings hid would name a model that is gone.
  if (deps.library.inUse('reranking') === name) {
    deps.library.use('reranking', null);
    await deps.choices.share();
  }
  return listModels(state);
};

export const createModels = (deps: ModelsDeps): Models => {
  const state: State = { deps, installing: new Map(), troubles: new Map() };
  const find = (name: string): ListedModel => managedModel(state, name);
  let last: Promise<unknown> = Promise.resolve();
  return {
    list: () => listModels(state),
    async add(name, from, by) {
      if (from !== null && by.keyId !== OWNER_ID)
        throw badRequest(
          '`from` names a folder of the machine of the server, so it is for its owner alone: use the command line there.',
        );
      const model = managedModel(state, name);
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
      const chosen = last.catch(() => undefined).then(() => chooseModel(deps, find, { name, purpose }));
      last = chosen;
      return chosen;
    },
    async close() {
      for (const { stop } of state.installing.values()) stop.abort();
      await Promise.all([...state.installing.values()].map(({ ended }) => ended));
    },
  };
};
