// Looks for servers of models on this machine. A program that does not answer in time, or answers something else, is none.
import { mapBounded } from '../../lib/async/bounded.ts';
import type { ServerPlace } from '../../lib/models/server-models.ts';
import { fieldsOf } from '../../lib/objects.ts';
import { askServerAt } from './ask.ts';
import type { AskServer, ServerKind } from './kind.ts';
import { serverKinds } from './kinds.generated.ts';
import type { FoundServer, LocalServers, LookedAtServer, ServerModel } from './port.ts';

/** A list is read in milliseconds; a server that hangs holds up nobody for longer. */
const LIST_MS = 1_500;
const DESCRIBE_MS = 3_000;
/** A server may load the model first. */
const VECTOR_MS = 60_000;
const DESCRIBED_AT_ONCE = 4;
/** Says nothing of anybody. */
const PROBE_WORD = 'hello';

interface Place extends LookedAtServer {
  readonly kind: ServerKind;
  /** The models that were described before, by their names and sizes. */
  readonly described: Map<string, ServerModel>;
}

/** "ollama" for "ollama-2". */
const kindNamed = (name: string): ServerKind | undefined =>
  serverKinds.find((kind) => name === kind.name || name.startsWith(`${kind.name}-`));

const placesOfKind = ({ name, address }: ServerPlace): Place[] => {
  const kind = kindNamed(name);
  return kind === undefined ? [] : [{ name, address, title: kind.title, kind, described: new Map() }];
};

const modelsOrNull = async ({ kind }: Place, ask: AskServer): Promise<readonly ServerModel[] | null> => {
  try {
    return await kind.list(ask);
  } catch {
    return null;
  }
};

const described = async (
  { kind, described: known }: Place,
  ask: AskServer,
  model: ServerModel,
): Promise<ServerModel> => {
  if (kind.describe === undefined) return model;
  const key = JSON.stringify([model.model, model.megabytes]);
  const before = known.get(key);
  if (before !== undefined) return before;
  try {
    const found = await kind.describe(ask, model);
    known.set(key, found);
    return found;
  } catch {
    return model;
  }
};

const findAt = async (place: Place): Promise<FoundServer | null> => {
  const { name, title, address } = place;
  const models = await modelsOrNull(place, askServerAt(address, AbortSignal.timeout(LIST_MS)));
  if (models === null) return null;
  const ask = askServerAt(address, AbortSignal.timeout(DESCRIBE_MS));
  const complete = await mapBounded(models, DESCRIBED_AT_ONCE, (model) => described(place, ask, model));
  return { name, title, address, models: complete };
};

const isVector = (answer: unknown): boolean => {
  const { data } = fieldsOf(answer);
  const { embedding } = fieldsOf(Array.isArray(data) ? data[0] : undefined);
  return Array.isArray(embedding) && embedding.length > 0 && embedding.every(Number.isFinite);
};

export const createLocalServers = (servers: readonly ServerPlace[]): LocalServers => {
  const places = servers.flatMap(placesOfKind);
  const placeNamed = (name: string): Place | undefined => places.find((place) => place.name === name);
  return {
    places,
    async answering(withinMs) {
      const signal = AbortSignal.timeout(withinMs);
      const lists = await Promise.all(
        places.map((place) => modelsOrNull(place, askServerAt(place.address, signal))),
      );
      return places.filter((_, at) => lists[at] !== null).map(({ name }) => name);
    },
    async list() {
      const found = await Promise.all(places.map(findAt));
      return found.filter((server) => server !== null);
    },
    async find(name) {
      const place = placeNamed(name);
      return place === undefined ? null : findAt(place);
    },
    named({ name, models }, model) {
      const { shortName = (same: string) => same } = placeNamed(name)?.kind ?? {};
      return models.find((one) => one.model === shortName(model)) ?? null;
    },
    async givesVectors(name, model) {
      const place = placeNamed(name);
      if (place === undefined) return false;
      const ask = askServerAt(place.address, AbortSignal.timeout(VECTOR_MS));
      return isVector(await ask('/v1/embeddings', { model, input: [PROBE_WORD], encoding_format: 'float' }));
    },
  };
};
