// The results of a search, as lines for people.
import type { z } from 'zod';
import type { searchMemories } from '../../../tools/search/memories.ts';
import { titleBeside } from '../../../tools/search/source-title.agent.ts';
import { partLines } from './explanation.ts';
import { wrap } from './layout.ts';
import { placeWords } from './passage-place.ts';
import type { Print } from './print.ts';
import { withoutControls } from './text.ts';

export type SearchResult = z.output<typeof searchMemories.output>['results'][number];

const resultHeading = (
  { similarity, documents, updatedAt, metadata, content, passage }: SearchResult,
  rank: number,
  print: Print,
): string => {
  const source = documents?.[0];
  const day = (source?.createdAt ?? updatedAt).slice(0, 10);
  const title = titleBeside(source?.title, passage?.content ?? content);
  const about = [title, ...placeWords(passage?.metadata ?? metadata), day, source?.id].filter(
    (part): part is string => typeof part === 'string' && part !== '',
  );
  return `${print.bold(`${rank}. ${Math.round(similarity * 100)} %`)}  ${print.dim(about.map(withoutControls).join(' · '))}`;
};

export const searchResultLines = (
  result: SearchResult,
  rank: number,
  query: string,
  print: Print,
): string[] => {
  const width = print.columns - 3;
  const { content, passage } = result;
  const source = passage === undefined || passage.content === content ? '' : passage.content;
  const why = result.explain === undefined ? [] : partLines(result.explain, query);
  return [
    resultHeading(result, rank, print),
    ...wrap(content, width).map((line) => `   ${line}`),
    ...(source === '' ? [] : wrap(source, width)).map((line) => print.dim(`   ${line}`)),
    ...why.flatMap((line) => wrap(line, width)).map((line) => print.dim(`   ${line}`)),
    '',
  ];
};
