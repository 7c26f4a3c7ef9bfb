// Finds the model of a server on this machine that a person names, and learns what the model is for.
import type {
  FoundServer,
  LocalServers,
  ServerModel,
  ServerPurpose,
} from '../../adapters/local-servers/port.ts';
import { badRequest, notFound, unavailable } from '../../core/errors.ts';
import { quotedList } from '../../core/quoted-list.ts';
import type { ModelPurpose } from '../../lib/models/model-folder.ts';
import { readServerModel } from '../../lib/models/server-models.ts';

export interface ChosenServerModel {
  /** As in "ollama:nomic-embed-text". */
  readonly name: string;
  readonly purpose: ServerPurpose;
  /** Null: not known. */
  readonly mostTokens: number | null;
}

const MOST_NAMED = 12;

const answeringServer = async (servers: LocalServers, name: string): Promise<FoundServer> => {
  const place = servers.places.find((one) => one.name === name);
  if (place === undefined) {
    const known = servers.places.map((one) => `${one.name} at ${one.address}`).join(', ') || 'none';
    throw notFound(
      `Memoir looks at no server that is called ${JSON.stringify(name)}. It looks at: ${known}. MEMOIR_LOCAL_SERVERS names the servers.`,
    );
  }
  const found = await servers.find(name);
  if (found !== null) return found;
  throw unavailable(
    `${place.title} does not answer at ${place.address}. Start it there and run the command again, or name its address in MEMOIR_LOCAL_SERVERS.`,
  );
};

/** Models whose name holds the text, or else all. */
const nearest = (models: readonly ServerModel[], text: string): readonly ServerModel[] => {
  const wanted = text.toLowerCase();
  const like = models.filter(({ model }) => {
    const name = model.toLowerCase();
    return wanted !== '' && (name.includes(wanted) || wanted.includes(name));
  });
  return like.length > 0 ? like : models;
};

const unknownModel = ({ name, title, address, models }: FoundServer, text: string): Error => {
  const names = nearest(models, text).map(({ model }) => `${name}:${model}`);
  const known = names.length === 0 ? 'It has none.' : `It has ${quotedList(names, MOST_NAMED)}.`;
  return notFound(
    `${title} at ${address} has no model ${JSON.stringify(text)} for Memoir. ${known} Add the model there, then choose it here.`,
  );
};

const OTHER: Readonly<Record<ServerPurpose, string>> = {
  embedding: 'a chat model, which makes no vectors',
  chat: 'an embedding model, which writes no text',
};

/** A server that does not say it is sent one word, because a person asked for this model. */
const learntPurpose = async (
  servers: LocalServers,
  server: FoundServer,
  model: string,
): Promise<ServerPurpose> => {
  try {
    return (await servers.givesVectors(server.name, model)) ? 'embedding' : 'chat';
  } catch (cause) {
    throw unavailable(
      `${server.title} at ${server.address} did not say what the model ${JSON.stringify(model)} is for. Say it with --for embedding or --for chat (the field "for").`,
      { cause },
    );
  }
};

export const chooseServerModel = async (
  servers: LocalServers,
  name: string,
  given: ModelPurpose | null,
): Promise<ChosenServerModel> => {
  if (given === 'reranking')
    throw badRequest(
      `Memoir does not rerank with servers on this machine. Choose a model for reranking of "memoir models list", or set MEMOIR_RERANK_URL.`,
    );
  const wanted = readServerModel(name) ?? { server: name, model: '' };
  const server = await answeringServer(servers, wanted.server);
  const found = servers.named(server, wanted.model);
  if (found === null) throw unknownModel(server, wanted.model);
  if (given !== null && found.purpose !== null && found.purpose !== given)
    throw badRequest(`${name} is ${OTHER[given]}. Choose another model of "memoir models list".`);
  return {
    name: `${server.name}:${found.model}`,
    purpose: given ?? found.purpose ?? (await learntPurpose(servers, server, found.model)),
    mostTokens: found.mostTokens,
  };
};
