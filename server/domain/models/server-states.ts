// The servers on this machine that run models: those that answer, and those that a person chose and that do not.
import type {
  FoundServer,
  LocalServers,
  LookedAtServer,
  ServerPurpose,
} from '../../adapters/local-servers/port.ts';
import type { ModelLibrary } from '../../adapters/models/port.ts';
import { readServerModel } from '../../lib/models/server-models.ts';
import type { Spaces } from '../spaces/spaces.ts';

export interface ServerModelState {
  /** As in "ollama:nomic-embed-text". */
  name: string;
  /** Null: the server does not say it. */
  for: ServerPurpose | null;
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
  /** The servers that answer, while a model could be chosen and none of theirs is. */
  readonly found: readonly LookedAtServer[];
  /** Chosen models whose server does not answer; `at` is null where it is not looked at. */
  readonly silent: readonly {
    readonly name: string;
    readonly for: ServerPurpose;
    readonly at: LookedAtServer | null;
  }[];
}

interface Deps {
  readonly library: Pick<ModelLibrary, 'inUse'>;
  readonly servers: LocalServers;
  readonly spaces: Pick<Spaces, 'status'>;
  readonly settings: Readonly<Record<ServerPurpose, string | null>>;
}

const PURPOSES: readonly ServerPurpose[] = ['embedding', 'chat'];

/** The models of servers that a person chose, where the settings name no model. */
const choices = ({ library, settings }: Deps): { readonly for: ServerPurpose; readonly name: string }[] =>
  PURPOSES.filter((purpose) => settings[purpose] === null).flatMap((purpose) => {
    const name = library.inUse(purpose);
    return name === null || readServerModel(name) === null ? [] : [{ for: purpose, name }];
  });

/** A chosen embedding model serves when its reindex is done. */
const modelsInUse = async (deps: Deps): Promise<ReadonlySet<string>> => {
  const { active } = await deps.spaces.status();
  const chat = choices(deps).filter((choice) => choice.for === 'chat');
  return new Set([...chat.map(({ name }) => name), ...(active === null ? [] : [active.model])]);
};

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
  const [inUse, servers] = await Promise.all([modelsInUse(deps), deps.servers.list()]);
  return servers.map((server) => stateOfServer(server, inUse));
};

export const lookAtServers = async (deps: Deps, withinMs: number): Promise<ServersAtStart> => {
  const { servers, settings } = deps;
  const answering = new Set(await servers.answering(withinMs));
  const chosen = choices(deps).map((choice) => {
    const server = readServerModel(choice.name)?.server;
    return { ...choice, at: servers.places.find(({ name }) => name === server) ?? null };
  });
  const used = new Set(chosen.map(({ at }) => at?.name));
  const isFree = PURPOSES.some((purpose) => settings[purpose] === null);
  return {
    found: servers.places.filter(({ name }) => isFree && answering.has(name) && !used.has(name)),
    silent: chosen.filter(({ at }) => at === null || !answering.has(at.name)),
  };
};
