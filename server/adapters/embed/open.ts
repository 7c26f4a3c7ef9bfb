// Opens the embedder that the settings request, and the embedder of stored vectors.
import type { SpaceName } from '../../core/space.ts';
import { embedders } from './embedders.generated.ts';
import type { EmbedderKind, RequestedSpace } from './kind.ts';
import type { Embedder } from './port.ts';

type All<Part> = (Part extends unknown ? (part: Part) => void : never) extends (all: infer Whole) => void
  ? Whole
  : never;

/** The settings of all embedders; each reads its own part. */
export type EmbedSettings = All<Parameters<(typeof embedders)[number]['requestedSpace']>[0]>;

const kinds: readonly EmbedderKind<EmbedSettings>[] = embedders;

/** The fallback matches any settings, so it is tried last. */
const requestedKind = (
  settings: EmbedSettings,
): { kind: EmbedderKind<EmbedSettings>; space: RequestedSpace } => {
  for (const kind of kinds.toSorted((one) => (one.isFallback ? 1 : -1))) {
    const space = kind.requestedSpace(settings);
    if (space !== null) return { kind, space };
  }
  throw new Error('No embedder is declared as the fallback.');
};

export const requestedSpace = (settings: EmbedSettings): RequestedSpace => requestedKind(settings).space;

/** True if the stored vectors are of the space that the settings request. */
export const isRequestedSpace = (settings: EmbedSettings, stored: SpaceName): boolean => {
  const requested = requestedSpace(settings);
  return (
    stored.embedder === requested.embedder &&
    stored.model === requested.model &&
    (requested.dimensions === null || stored.dimensions === requested.dimensions)
  );
};

/** True for vectors of the builtin embedder as an earlier version computed them: to renew them costs nothing. */
export const isOfEarlierVersion = (settings: EmbedSettings, stored: SpaceName): boolean => {
  const { kind, space } = requestedKind(settings);
  return kind.isFallback === true && stored.embedder === space.embedder && stored.model !== space.model;
};

/** Opens the requested embedder. Without configured dimensions, a remote one embeds a text to learn them. */
export const openRequestedEmbedder = async (settings: EmbedSettings): Promise<Embedder> =>
  requestedKind(settings).kind.open(settings);

/** The embedder of stored vectors; null if no embedder can compute such vectors (any more). */
export const openStoredEmbedder = (settings: EmbedSettings, space: SpaceName): Embedder | null =>
  kinds.find(({ name }) => name === space.embedder)?.openStored(settings, space) ?? null;
