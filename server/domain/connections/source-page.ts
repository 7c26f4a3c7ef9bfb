// The resources of a source, by folder or by words.
import type { OpenSource, Resource } from '../../adapters/connect/port.ts';

export interface ResourceQuery {
  /** Null: the top. */
  readonly parent: string | null;
  readonly words: string;
  readonly page: number;
  readonly perPage: number;
}

export interface ResourcePage {
  readonly resources: readonly Resource[];
  readonly total?: number;
}

/** The most resources that are compared with the words, at a source that has no search of its own. */
const MOST_COMPARED = 1_000;
const COMPARED_TOGETHER = 100;

type Browse = NonNullable<OpenSource['browse']>;

const findByName = async (
  browse: Browse,
  { parent, words }: ResourceQuery,
  signal: AbortSignal,
): Promise<Resource[]> => {
  const wanted = words.toLowerCase();
  const found: Resource[] = [];
  for (let page = 1; page * COMPARED_TOGETHER <= MOST_COMPARED; page++) {
    const { resources } = await browse(parent, page, COMPARED_TOGETHER, signal);
    found.push(
      ...resources.filter(({ name, path = '' }) => `${name} ${path}`.toLowerCase().includes(wanted)),
    );
    if (resources.length < COMPARED_TOGETHER) break;
  }
  return found;
};

/** Null: the source has nothing to choose. */
export const pageOfSource = async (
  source: OpenSource,
  query: ResourceQuery,
  signal: AbortSignal,
): Promise<ResourcePage | null> => {
  const { parent, words, page, perPage } = query;
  if (source.browse === undefined) return null;
  const browse = source.browse.bind(source);
  if (words === '') return browse(parent, page, perPage, signal);
  const from = (page - 1) * perPage;
  const all =
    (await source.find?.(words, from + perPage + 1, signal)) ?? (await findByName(browse, query, signal));
  return { resources: all.slice(from, from + perPage), total: all.length };
};
