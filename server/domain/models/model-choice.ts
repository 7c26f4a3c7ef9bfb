// The choice of a model for a purpose: a model inside Memoir, or one that a server on this machine runs. A change of the
// embedding model is an online reindex; the others hold at once.
import type { LocalServers } from '../../adapters/local-servers/port.ts';
import type { ListedModel, ModelLibrary } from '../../adapters/models/port.ts';
import { badRequest, conflict } from '../../core/errors.ts';
import type { ModelPurpose } from '../../lib/models/model-folder.ts';
import { readServerModel } from '../../lib/models/server-models.ts';
import type { SpaceStatus, Spaces } from '../spaces/spaces.ts';
import { chooseServerModel } from './choose-server-model.ts';

export interface ChosenModel extends SpaceStatus {
  chosen: { name: string; for: ModelPurpose };
}

export interface ModelChoiceDeps {
  readonly library: Pick<ModelLibrary, 'inUse' | 'use' | 'keepMostTokens'>;
  readonly servers: LocalServers;
  readonly spaces: Pick<Spaces, 'status' | 'reindex'>;
  /** The settings about the model of a purpose, as a sentence without its full stop; null: a person chooses it. */
  readonly settings: Readonly<Record<ModelPurpose, string | null>>;
  /** Another language model was chosen. */
  readonly reloadLanguageModel: () => Promise<void>;
  /** The choices of all processes that share the database. */
  readonly choices: { look(): Promise<void>; share(): Promise<void> };
}

interface Choice {
  /** Null: the builtin way. */
  readonly name: string | null;
  readonly purpose: ModelPurpose;
  readonly mostTokens: number | null;
}

const BUILTIN = 'builtin';

const NOT_FOR: Readonly<Record<ModelPurpose, string>> = {
  embedding: 'no embedding model. Choose another model of "memoir models list".',
  chat: 'no chat model. Name the model of a server on this machine, or "builtin" for reading by rules.',
  reranking: 'no model for reranking. Choose another model of "memoir models list".',
};

const requireFree = ({ settings }: ModelChoiceDeps, purpose: ModelPurpose): void => {
  const said = settings[purpose];
  if (said !== null)
    throw conflict(
      `${said} and decides. Remove it from the settings and restart Memoir, then choose a model here.`,
    );
};

const serverModel = async (
  deps: ModelChoiceDeps,
  name: string,
  given: ModelPurpose | null,
): Promise<Choice> => {
  if (given !== null) requireFree(deps, given);
  const chosen = await chooseServerModel(deps.servers, name, given);
  requireFree(deps, chosen.purpose);
  return chosen;
};

const listedModel = (
  deps: ModelChoiceDeps,
  { row, installed }: ListedModel,
  given: ModelPurpose | null,
): Choice => {
  const { name, for: purpose } = row;
  if (purpose === 'ocr')
    throw badRequest(
      `${name} is a language of OCR, and serves as soon as it is installed: memoir models add ${name}.`,
    );
  if (given !== null && given !== purpose) throw badRequest(`${name} is ${NOT_FOR[given]}`);
  requireFree(deps, purpose);
  if (installed === null)
    throw conflict(`The model ${name} is not installed. Install it first: memoir models add ${name}.`);
  return { name, purpose, mostTokens: null };
};

const builtin = (deps: ModelChoiceDeps, purpose: ModelPurpose): Choice => {
  requireFree(deps, purpose);
  return { name: null, purpose, mostTokens: null };
};

type Use = (deps: ModelChoiceDeps, name: string | null) => Promise<SpaceStatus>;

const useEmbeddingModel: Use = async ({ library, spaces }, name) => {
  const before = library.inUse('embedding');
  library.use('embedding', name);
  try {
    return await spaces.reindex();
  } catch (error) {
    library.use('embedding', before);
    throw error;
  }
};

const useChatModel: Use = async ({ library, spaces, reloadLanguageModel }, name) => {
  library.use('chat', name);
  await reloadLanguageModel();
  return spaces.status();
};

/** Each search reads this choice. */
const useReranker: Use = ({ library, spaces }, name) => {
  library.use('reranking', name);
  return spaces.status();
};

const USES: Readonly<Record<ModelPurpose, Use>> = {
  embedding: useEmbeddingModel,
  chat: useChatModel,
  reranking: useReranker,
};

/** `listed` finds a model inside Memoir. Null as the purpose: the purpose of the model, and embedding for "builtin". */
export const chooseModel = async (
  deps: ModelChoiceDeps,
  listed: (name: string) => ListedModel,
  wanted: { readonly name: string; readonly purpose: ModelPurpose | null },
): Promise<ChosenModel> => {
  const { name: asked, purpose: given } = wanted;
  const choose = (): Choice | Promise<Choice> => {
    if (asked === BUILTIN) return builtin(deps, given ?? 'embedding');
    if (readServerModel(asked) !== null) return serverModel(deps, asked, given);
    return listedModel(deps, listed(asked), given);
  };
  await deps.choices.look();
  const { name, purpose, mostTokens } = await choose();
  if (name !== null && mostTokens !== null) deps.library.keepMostTokens(name, mostTokens);
  const status = await USES[purpose](deps, name);
  await deps.choices.share();
  return { ...status, chosen: { name: name ?? BUILTIN, for: purpose } };
};
