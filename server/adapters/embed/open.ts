// Which embedder the settings ask for, and the one that belongs to vectors that are already stored.
import { createBuiltinEmbedder } from './builtin.ts';
import { createOpenAiEmbedder, openOpenAiEmbedder } from './openai.ts';
import type { Embedder, SpaceName } from './port.ts';

export interface EmbedSettings {
  /** Null: the builtin embedder. */
  model: string | null;
  dimensions: number | null;
  apiKey: string | null;
  baseUrl: string | null;
}

const remote = (settings: EmbedSettings, model: string) => ({
  model,
  ...(settings.apiKey === null ? {} : { apiKey: settings.apiKey }),
  ...(settings.baseUrl === null ? {} : { baseUrl: settings.baseUrl }),
});

/** Whether stored vectors are of the kind that the settings ask for. */
export const isWanted = (settings: EmbedSettings, space: SpaceName): boolean => {
  if (settings.model === null) {
    const { embedder, model, dimensions } = createBuiltinEmbedder().space;
    return space.embedder === embedder && space.model === model && space.dimensions === dimensions;
  }
  return (
    space.embedder === 'openai' &&
    space.model === settings.model &&
    (settings.dimensions === null || space.dimensions === settings.dimensions)
  );
};

/** Asks a remote embedder once how long its vectors are, unless the settings say it. */
export const openWanted = async (settings: EmbedSettings): Promise<Embedder> => {
  if (settings.model === null) return createBuiltinEmbedder();
  return openOpenAiEmbedder({
    ...remote(settings, settings.model),
    ...(settings.dimensions === null ? {} : { dimensions: settings.dimensions }),
  });
};

/** The embedder of stored vectors; null when nothing here can compute such vectors any more. */
export const openStored = (settings: EmbedSettings, space: SpaceName): Embedder | null => {
  if (space.embedder === 'builtin') {
    const builtin = createBuiltinEmbedder();
    return builtin.space.model === space.model && builtin.space.dimensions === space.dimensions
      ? builtin
      : null;
  }
  if (space.embedder !== 'openai' || (settings.apiKey === null && settings.baseUrl === null)) return null;
  const asked = settings.model === space.model && settings.dimensions !== null;
  return createOpenAiEmbedder({
    ...remote(settings, space.model),
    dimensions: space.dimensions,
    askForDimensions: asked,
  });
};
