// memoir search: finds memories and passages, best first.
import { type Command, Option } from 'commander';
import { listProcessingDocuments } from '../../../tools/documents/processing.ts';
import { searchMemories } from '../../../tools/search/memories.ts';
import { spacesStatus } from '../../../tools/spaces/status.ts';
import { plural } from '../../lib/text/plural.ts';
import { type CommandWork, withClient } from '../command.ts';
import type { Host } from '../host.ts';
import {
  type CommonOptions,
  examples,
  type Pairs,
  pairOption,
  shareOption,
  tagOption,
  wholeNumberOption,
  withCommon,
} from '../options.ts';
import type { SearchResult } from '../output/search-results.ts';
import { unlessForbidden } from '../unless-forbidden.ts';

const MODES = ['hybrid', 'semantic', 'keyword', 'memories', 'documents'] as const;

interface SearchOptions extends CommonOptions {
  tag?: string[];
  mode: (typeof MODES)[number];
  limit: number;
  threshold?: number;
  filter?: Pairs;
  rerank?: true;
  rewrite?: true;
  explain?: true;
  explainId?: string;
}

const searchInput = (query: string, options: SearchOptions) => {
  const conditions = Object.entries(options.filter ?? {}).map(([key, value]) => ({ key, value }));
  return {
    q: query,
    searchMode: options.mode,
    limit: options.limit,
    include: {
      documents: true,
      explain: options.explain === true,
      ...(options.explainId === undefined ? {} : { explainId: options.explainId }),
    },
    rerank: options.rerank === true,
    rewriteQuery: options.rewrite === true,
    ...(options.tag === undefined ? {} : { containerTags: options.tag }),
    ...(options.threshold === undefined ? {} : { threshold: options.threshold }),
    ...(conditions.length === 0 ? {} : { filters: { AND: conditions } }),
  };
};

const MODEL_TIP =
  'A model on this machine finds text in other words: memoir models add minilm, then memoir models use minilm.';

/** A key that is bound to container tags may not ask, and may not change it either. */
const isWithoutModel = async (client: CommandWork['client']): Promise<boolean> => {
  const spaces = await unlessForbidden(client.call(spacesStatus, {}));
  return spaces?.active?.embedder === 'builtin';
};

/** Tips for a search without results. */
const emptyResultTips = async ({ client }: CommandWork, options: SearchOptions): Promise<string[]> => {
  const { totalCount } = await client.call(listProcessingDocuments, {
    ...(options.tag === undefined ? {} : { containerTags: options.tag }),
  });
  const wantsModel = options.mode !== 'keyword' && (await isWithoutModel(client));
  return [
    ...(totalCount > 0
      ? [`${plural(totalCount, 'document')} still being processed. Try again in a moment.`]
      : []),
    ...(options.threshold === 0 ? [] : ['A lower --threshold shows weaker matches; 0 shows all.']),
    ...(options.mode === 'keyword' ? ['--mode hybrid also finds text in other words.'] : []),
    ...(wantsModel ? [MODEL_TIP] : []),
    ...(options.tag === undefined ? [] : ['Without --tag, all container tags are searched.']),
    ...(options.filter === undefined ? [] : ['Without --filter, all documents are searched.']),
  ];
};

const NEAREST = 3;

/** The best results below the threshold, for a person at a terminal who did not choose one. */
const nearestResults = async (
  { client }: CommandWork,
  query: string,
  options: SearchOptions,
): Promise<readonly SearchResult[]> => {
  if (options.json || options.threshold !== undefined || options.mode === 'keyword') return [];
  const input = searchInput(query, { ...options, threshold: 0, limit: Math.min(NEAREST, options.limit) });
  return (await client.call(searchMemories, input)).results;
};

const search = async (work: CommandWork, query: string, options: SearchOptions): Promise<void> => {
  const { explanationLines } = await import('../output/explanation.ts');
  const { searchResultLines } = await import('../output/search-results.ts');
  const { client, print } = work;
  const answer = await client.call(searchMemories, searchInput(query, options));
  for (const { message } of answer.notes ?? []) print.note(message);
  const why = answer.explain === undefined ? [] : ['', ...explanationLines(answer.explain, query, print)];
  if (answer.results.length > 0) {
    const lines = answer.results.flatMap((result, at) => searchResultLines(result, at + 1, query, print));
    return print.answer(answer, [...lines.slice(0, -1), ...why]);
  }
  const nearest = await nearestResults(work, query, options);
  const tips = options.json ? [] : await emptyResultTips(work, options);
  const found =
    nearest.length === 0
      ? ['Nothing found.']
      : [
          'Nothing matches well enough. The nearest:',
          '',
          ...nearest.flatMap((result, at) => searchResultLines(result, at + 1, query, print)),
        ];
  print.answer(answer, [...found, ...tips.map((tip) => `- ${tip}`), ...why]);
};

export const searchCommand = (program: Command, host: Host): void => {
  const command = program
    .command('search <query>')
    .summary('find memories and passages, best first')
    .description(
      'Finds memories and passages by meaning and by words, best first, with the similarity of each.',
    )
    .addOption(tagOption('search only this container tag'))
    .addOption(new Option('--mode <mode>', 'the search mode').choices([...MODES]).default('hybrid'))
    .option('-n, --limit <number>', 'the highest number of results', wholeNumberOption(1, 100), 10)
    .option('--threshold <0–1>', 'the lowest similarity of a result (default: 0.6)', shareOption)
    .addOption(pairOption('-f, --filter', 'search only documents with this metadata'))
    .option('--rerank', 'rerank the results, if a reranker is set')
    .option('--rewrite', 'also search for other wordings of the query')
    .option('--explain', 'explain the score of each result')
    .option('--explain-id <id>', 'explain why this document, memory or passage is not among the results');
  examples(withCommon(command), [
    'memoir search "What does Ada like to drink?" --tag user_ada',
    'memoir search INV-20931 --mode keyword',
    'memoir search "trains to Lyon" --filter kind=travel --limit 3 --json',
    'memoir search "trains to Lyon" --explain --explain-id notes-2026-03',
  ]).action((query: string, options: SearchOptions) =>
    withClient(options, host, (work) => search(work, query, options)),
  );
};
