// docs/architecture.md is a map: every path that it names exists.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../../scripts/source/parse.ts';
import { textOf } from './surface.ts';

const PLACE = /`((?:server|tools|test|scripts|sdk|docs)\/[^`\s<>*…]+)`/g;
const pathsIn = (page: string): string[] => [...page.matchAll(PLACE)].map(([, path = '']) => path);

const pages = ['docs/architecture.md', 'docs/contributing.md'];

test.each(pages)('every path that %s names exists', (page) => {
  const missing = pathsIn(textOf(page)).filter((path) => !existsSync(join(root, path)));
  expect(missing).toEqual([]);
});

describe('the three questions of a newcomer', () => {
  const answers = (question: string): string[] => {
    const row = textOf('docs/architecture.md')
      .split('\n')
      .find((line) => line.startsWith(`| ${question} |`));
    return pathsIn(row ?? '');
  };

  test.each([
    'Where is a re-sent conversation merged?',
    'Who decides whether a key may see a chunk?',
    'How do I add RTF?',
  ])('%s is answered with a path that exists', (question) => {
    expect(answers(question)).not.toEqual([]);
    expect(answers(question).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
