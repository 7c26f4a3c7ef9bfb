// The sources by the names of their providers. They are loaded with the first connection.
import { loadOnce } from '../../lib/async/load-once.ts';
import type { SourceKind } from './port.ts';

const loadSourceKinds = loadOnce(async (): Promise<ReadonlyMap<string, SourceKind>> => {
  const { sourceKinds } = await import('./sources.generated.ts');
  return new Map(sourceKinds.map((kind) => [kind.provider, kind]));
});

/** Null: there is no such source. */
export const findSourceKind = async (provider: string): Promise<SourceKind | null> =>
  (await loadSourceKinds()).get(provider) ?? null;
