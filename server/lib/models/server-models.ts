// Models that servers on this machine run, and their names: "ollama:nomic-embed-text".
import type { OpenAiConnection } from '../openai/client.ts';

export interface ServerPlace {
  /** The first part of the names of its models: its kind, as in "ollama", or "ollama-2" for a second server of one kind. */
  readonly name: string;
  /** As in "http://127.0.0.1:11434". */
  readonly address: string;
}

export interface ServerModelName {
  readonly server: string;
  readonly model: string;
}

/** Null: the name of a model that runs inside Memoir; of those, the languages of OCR alone hold a colon. */
export const readServerModel = (name: string): ServerModelName | null => {
  const at = name.indexOf(':');
  return at <= 0 || name.startsWith('ocr:') ? null : { server: name.slice(0, at), model: name.slice(at + 1) };
};

const PLACES = {
  address: 'MEMOIR_LOCAL_SERVERS',
  key: 'MEMOIR_EMBEDDING_API_KEY or OPENAI_MODEL_API_KEY',
  model: 'the model of "memoir models use"',
} as const;

/** The OpenAI-compatible service of a model; null: no server of this name is looked at. No key is sent there. */
export const serverConnection = (
  servers: readonly ServerPlace[],
  name: string | null,
): OpenAiConnection | null => {
  const wanted = name === null ? null : readServerModel(name);
  const place = servers.find((server) => server.name === wanted?.server);
  if (wanted === null || place === undefined) return null;
  return { model: wanted.model, baseUrl: `${place.address}/v1`, settings: PLACES, refusesRedirects: true };
};
