// Tests of the tokens of a query and a passage, with the real tokenizers.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPairEncoder } from '../../../../server/adapters/rerank/local/pair-tokens.ts';
import { openTokenizer, type Tokenizer } from '../../../../server/lib/models/runtime.ts';
import { addRuntime } from '../../../support/models/runtime.ts';
import { MARKS, tinyRerankerFiles, tinyRerankerRow } from '../../../support/models/tiny-reranker.ts';
import { tokenizerFile } from '../../../support/models/tokenizer-file.ts';

const WORDS = 'who owns the dog anna has a big'.split(' ');
const TEXTS = [WORDS.join(' ')];

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memoir-pairs-'));
  await addRuntime(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const tokenizerWith = (name: string, file: Buffer): Tokenizer => {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'tokenizer.json'), file);
  return openTokenizer(folder, tinyRerankerRow({ name }));
};

const bert = () => tokenizerWith('bert', tinyRerankerFiles(TEXTS).tokenizer);

/** Marks as XLM-RoBERTa puts them: two between the texts, and one type for all tokens. */
const roberta = () => {
  const mark = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const part = (id: string) => ({ Sequence: { id, type_id: 0 } });
  const [end, begin] = ['[SEP]', '[CLS]'] as const;
  const postProcessor = {
    type: 'TemplateProcessing',
    single: [mark(begin), part('A'), mark(end)],
    pair: [mark(begin), part('A'), mark(end), mark(end), part('B'), mark(end)],
    special_tokens: Object.fromEntries(
      [begin, end].map((id) => [id, { id, ids: [MARKS.indexOf(id)], tokens: [id] }]),
    ),
  };
  return tokenizerWith(
    'roberta',
    tokenizerFile({ pieces: [...MARKS, ...WORDS, 'z'], marks: MARKS, postProcessor }),
  );
};

const encoded = (tokenizer: Tokenizer, query: string, text_pair: string) => {
  const { ids, token_type_ids } = tokenizer.encode(query, { text_pair, return_token_type_ids: true });
  return { ids, types: token_type_ids };
};

const [, , CLS, SEP] = MARKS.map((_, at) => at);
const idsOf = (tokenizer: Tokenizer, text: string) =>
  tokenizer.encode(text, { add_special_tokens: false }).ids;

describe('a pair of query and passage', () => {
  it.each([
    ['BERT', bert],
    ['XLM-RoBERTa', roberta],
  ])('has the tokens and types that the tokenizer of %s itself gives it', (_, open) => {
    const tokenizer = open();
    const pair = createPairEncoder(tokenizer, 64);
    for (const [query, passage] of [
      ['who owns the dog', 'anna has a big dog'],
      ['dog', 'a'],
      ['a', 'a a a'],
    ] as const)
      expect(pair(query)(passage)).toEqual(encoded(tokenizer, query, passage));
  });

  it('keeps its two parts where one of them is empty', () => {
    const pair = createPairEncoder(bert(), 64);
    const dog = idsOf(bert(), 'dog');
    expect(pair('dog')('')).toEqual({ ids: [CLS, ...dog, SEP, SEP], types: [0, 0, 0, 1] });
    expect(pair('')('dog')).toEqual({ ids: [CLS, SEP, ...dog, SEP], types: [0, 0, 1, 1] });
  });

  it('that is too long loses the end of its passage, and no word of its query', () => {
    const tokenizer = bert();
    const row = createPairEncoder(tokenizer, 12)('who owns the dog')('anna has a big dog '.repeat(9));
    const kept = [...idsOf(tokenizer, 'anna has a big dog')];
    expect(row.ids).toEqual([CLS, ...idsOf(tokenizer, 'who owns the dog'), SEP, ...kept, SEP]);
    expect(row.types).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
  });

  it('with a query of more than half the room cuts both, so that the passage has the other half', () => {
    const tokenizer = bert();
    const row = createPairEncoder(tokenizer, 11)('dog '.repeat(50))('anna '.repeat(50));
    const [dog = 0, anna = 0] = idsOf(tokenizer, 'dog anna');
    expect(row.ids).toEqual([CLS, dog, dog, dog, dog, SEP, anna, anna, anna, anna, SEP]);
  });

  it('with a long query and a short passage loses no word of the passage', () => {
    const tokenizer = bert();
    const row = createPairEncoder(tokenizer, 11)('dog '.repeat(50))('anna');
    expect(row.ids.slice(-3)).toEqual([SEP, ...idsOf(tokenizer, 'anna'), SEP]);
    expect(row.ids).toHaveLength(11);
  });
});
