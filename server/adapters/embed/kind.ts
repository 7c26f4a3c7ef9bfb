// The declaration of an embedder: its name, the settings that request it, and its opening.
import type { SpaceName } from '../../core/space.ts';
import type { Embedder } from './port.ts';

/** Null dimensions: they are known after the embedder is opened. */
export type RequestedSpace = Omit<SpaceName, 'dimensions'> & { readonly dimensions: number | null };

/** `Settings` is the part of the config that this embedder reads. */
export interface EmbedderKind<Settings> {
  /** The embedder's name in the names of spaces. */
  readonly name: string;
  /** The space that the settings request; null: they request another embedder. */
  readonly requestedSpace: (settings: Settings) => RequestedSpace | null;
  /** Opens the embedder that the settings request. */
  readonly open: (settings: Settings) => Promise<Embedder>;
  /** Opens the embedder of stored vectors; null: it cannot compute such vectors (any more). */
  readonly openStored: (settings: Settings, space: SpaceName) => Embedder | null;
  /** True for the embedder that is used when the settings request no other. */
  readonly isFallback?: true;
}

export const embedderKind = <Settings>(kind: EmbedderKind<Settings>): EmbedderKind<Settings> => kind;
