// The servers on this machine that run models: those that answer, and those that a person chose and that do not.
import type { FoundServer, LocalServers, LookedAtServer } from '../../adapters/local-servers/port.ts';
import type { ModelLibrary } from '../../adapters/models/port.ts';
import type { ModelPurpose } from '../../lib/models/model-folder.ts';
import { readServerModel } from '../../lib/models/server-models.ts';

export interface ServerModelState {
  /** As in "ollama:nomic-embed-text". */
  name: string;
  /** Null: the server does not say it. */
  for: ModelPurpose | null;
  dimensions: number | null;
  mostTokens: number | null;
  megabytes: number | null;
  /** True if Memoir uses it. */
  serves: boolean;
}

export interface ServerState {
  name: string;
  title: string;
  address: string;
  models: ServerModelState[];
}

export interface ServersAtStart {
  /** Those that answer, while a model could be chosen and none of theirs is. */
  readonly found: readonly LookedAtServer[];
  /** Chosen models whose server does not answer. */
  readonly silent: readonly {
    readonly name: string;
    readonly for: ModelPurpose;
    readonly at: LookedAtServer;
  }[];
}

interface Deps {
  readonly library: Pick<ModelLibrary, 'inUse'>;
  readonly servers: LocalServers;
  readonly settings: Readonly<Record<ModelPurpose, string | null>>;
}

const PURPOSES: readonly ModelPurpose[] = ['embedding', 'chat'];

/** What a person chose, where the settings name no model. */
const choices = ({ library, settings }: Deps): { readonly for: ModelPurpose; readonly name: string }[] =>
  PURPOSES.filter((purpose) => settings[purpose] === null).flatMap((purpose) => {
    const name = library.inUse(purpose);
    return name === null ? [] : [{ for: purpose, name }];
  });

const stateOfServer = (
  { name, title, address, models }: FoundServer,
  inUse: ReadonlySet<string>,
): ServerState => ({
  name,
  title,
  address,
  models: models.map(({ model, purpose, dimensions, mostTokens, megabytes }) => ({
    name: `${name}:${model}`,
    for: purpose,
    dimensions,
    mostTokens,
    megabytes,
    serves: inUse.has(`${name}:${model}`),
  })),
});

export const serverStates = async (deps: Deps): Promise<ServerState[]> => {
  const inUse = new Set(choices(deps).map(({ name }) => name));
  return (await deps.servers.list()).map((server) => stateOfServer(server, inUse));
};

export const lookAtServers = async (deps: Deps, withinMs: number): Promise<ServersAtStart> => {
  const { servers, settings } = deps;
  const answering = new Set(await servers.answering(withinMs));
  const chosen = choices(deps).flatMap((choice) => {
    const at = servers.places.find(({ name }) => name === readServerModel(choice.name)?.server);
    return at === undefined ? [] : [{ ...choice, at }];
  });
  const used = new Set(chosen.map(({ at }) => at.name));
  const isFree = PURPOSES.some((purpose) => settings[purpose] === null);
  return {
    found: servers.places.filter(({ name }) => isFree && answering.has(name) && !used.has(name)),
    silent: chosen.filter(({ at }) => !answering.has(at.name)),
  };
};
