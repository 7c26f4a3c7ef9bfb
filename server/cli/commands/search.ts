// memoir search: finds what is stored, best first.
import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { listProcessingDocuments } from '../../../tools/documents/processing.ts';
import { searchMemories } from '../../../tools/search/memories.ts';
import { type Work, withClient } from '../command.ts';
import { explanationLines, partLines } from '../explained.ts';
import type { Host } from '../host.ts';
import {
  type CommonOptions,
  examples,
  type Pairs,
  pairOption,
  share,
  tagOption,
  wholeNumber,
  withCommon,
} from '../options.ts';
import { placesOf } from '../place.ts';
import type { Print } from '../print.ts';
import { plural, tame, wrap } from '../text.ts';

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

type Answer = z.output<typeof searchMemories.output>;
type Result = Answer['results'][number];

function inputOf(query: string, options: SearchOptions) {
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
}

function heading({ similarity, documents, updatedAt, metadata }: Result, rank: number, print: Print): string {
  const source = documents?.[0];
  const day = (source?.createdAt ?? updatedAt).slice(0, 10);
  const about = [source?.title, ...placesOf(metadata), day, source?.id].filter(
    (part): part is string => typeof part === 'string' && part !== '',
  );
  return `${print.bold(`${rank}. ${Math.round(similarity * 100)} %`)}  ${print.dim(about.map(tame).join(' · '))}`;
}

function passage(result: Result, rank: number, query: string, print: Print): string[] {
  const width = print.columns - 3;
  const lines = wrap(result.memory ?? result.chunk ?? '', width);
  const why = result.explain === undefined ? [] : partLines(result.explain, query);
  return [
    heading(result, rank, print),
    ...lines.map((line) => `   ${line}`),
    ...why.flatMap((line) => wrap(line, width)).map((line) => print.dim(`   ${line}`)),
    '',
  ];
}

/** What may help when nothing was found. */
async function advice({ client }: Work, options: SearchOptions): Promise<string[]> {
  const { totalCount } = await client.call(listProcessingDocuments, {
    ...(options.tag === undefined ? {} : { containerTags: options.tag }),
  });
  return [
    ...(totalCount > 0
      ? [`${plural(totalCount, 'document')} still being processed: try again in a moment.`]
      : []),
    ...(options.threshold === 0 ? [] : ['A lower --threshold shows weaker matches; 0 shows all.']),
    ...(options.mode === 'keyword' ? ['--mode hybrid also finds other wordings.'] : []),
    ...(options.tag === undefined ? [] : ['Without --tag every container is searched.']),
    ...(options.filter === undefined ? [] : ['Without --filter every document is searched.']),
  ];
}

async function search(work: Work, query: string, options: SearchOptions): Promise<void> {
  const { client, print } = work;
  const answer = await client.call(searchMemories, inputOf(query, options));
  for (const { message } of answer.notes ?? []) print.note(message);
  const why = answer.explain === undefined ? [] : ['', ...explanationLines(answer.explain, query, print)];
  if (answer.results.length > 0) {
    const lines = answer.results.flatMap((result, at) => passage(result, at + 1, query, print));
    return print.answer(answer, [...lines.slice(0, -1), ...why]);
  }
  const tips = options.json ? [] : await advice(work, options);
  print.answer(answer, ['Nothing found.', ...tips.map((tip) => `- ${tip}`), ...why]);
}

export function searchCommand(program: Command, host: Host): void {
  const command = program
    .command('search <query>')
    .summary('find what is stored, best first')
    .description(
      'Finds memories and passages by meaning and by words, best first, with how well each one matches.',
    )
    .addOption(tagOption('only this container tag'))
    .addOption(new Option('--mode <mode>', 'how to search').choices([...MODES]).default('hybrid'))
    .option('-n, --limit <number>', 'how many results at most', wholeNumber(1, 100), 10)
    .option('--threshold <0–1>', 'leave out weaker matches (default: 0.6)', share)
    .addOption(pairOption('-f, --filter', 'only documents with this metadata'))
    .option('--rerank', 'order the results once more, where a reranker is set')
    .option('--rewrite', 'search for several wordings of the query')
    .option('--explain', 'say what each result is made of')
    .option('--explain-id <id>', 'say what kept a document, memory or passage out');
  examples(withCommon(command), [
    'memoir search "What does Ada like to drink?" --tag user_ada',
    'memoir search INV-20931 --mode keyword',
    'memoir search "trains to Lyon" --filter kind=travel --limit 3 --json',
    'memoir search "trains to Lyon" --explain --explain-id notes-2026-03',
  ]).action((query: string, options: SearchOptions) =>
    withClient(options, host, (work) => search(work, query, options)),
  );
}
