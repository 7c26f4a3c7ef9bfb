// A tiny cross-encoder that a test builds: its score is the number of words that query and passage share.
import { join } from 'node:path';
import { type InstalledModel, recordInstalled } from '../../../server/lib/models/model-folder.ts';
import { type RunnableRow, runnableRow } from '../../../server/lib/models/model-row.ts';
import { FLOAT, INT64, type OnnxNode, type OnnxTensor, onnxFile, tokenInput } from './onnx-file.ts';
import { type TinyFiles, writeModelFiles } from './tiny-model.ts';
import { piecesOf, tokenizerFile, UNKNOWN } from './tokenizer-file.ts';

export const MARKS = ['[PAD]', UNKNOWN, '[CLS]', '[SEP]'] as const;
const MOST_TOKENS = 64;

export const tinyRerankerRow = (more: Partial<InstalledModel<'reranking'>['row']> = {}): RunnableRow =>
  runnableRow.parse({
    name: 'tiny-reranker',
    for: 'reranking',
    hub: 'memoir/tiny-reranker',
    files: { weights: 'onnx/model_quantized.onnx' },
    mostTokens: MOST_TOKENS,
    languages: 'those of the tests',
    licence: 'Apache-2.0',
    megabytes: 1,
    use: 'For tests.',
    ...more,
  });

const node = (
  kind: string,
  inputs: readonly string[],
  output: string,
  attributes: OnnxNode['attributes'] = {},
): OnnxNode => ({ kind, inputs, output, attributes });

const integers = (name: string, dims: readonly number[], ...values: readonly number[]): OnnxTensor => ({
  name,
  dims,
  values: BigInt64Array.from(values.map(BigInt)),
});

/** The words of each part: no marks, and nothing that fills up a shorter pair. */
const PARTS: readonly OnnxNode[] = [
  node('GreaterOrEqual', ['input_ids', 'firstWord'], 'isWord'),
  node('Cast', ['isWord'], 'word', { to: INT64 }),
  node('Mul', ['word', 'attention_mask'], 'told'),
  node('Mul', ['told', 'token_type_ids'], 'inPassage'),
  node('Sub', ['told', 'inPassage'], 'inQuery'),
];

/** Equal words, one of each part, added up. */
const SHARED: readonly OnnxNode[] = [
  node('Unsqueeze', ['input_ids', 'last'], 'down'),
  node('Unsqueeze', ['input_ids', 'one'], 'across'),
  node('Equal', ['down', 'across'], 'equal'),
  node('Cast', ['equal'], 'same', { to: FLOAT }),
  node('Unsqueeze', ['inQuery', 'last'], 'queryDown'),
  node('Unsqueeze', ['inPassage', 'one'], 'passageAcross'),
  node('Mul', ['queryDown', 'passageAcross'], 'pairs'),
  node('Cast', ['pairs'], 'counted', { to: FLOAT }),
  node('Mul', ['same', 'counted'], 'hits'),
  node('ReduceSum', ['hits', 'bothAxes'], 'shared', { keepdims: 0 }),
  node('Unsqueeze', ['shared', 'one'], 'overlap'),
];

/** Takes away a point for each token beyond the table of positions, so that a test sees a pair that was not cut. */
const WITHIN_POSITIONS: readonly OnnxNode[] = [
  node('Shape', ['input_ids'], 'shape'),
  node('Gather', ['shape', 'second'], 'length', { axis: 0 }),
  node('Range', ['zero', 'length', 'step'], 'places'),
  node('Gather', ['positions', 'places'], 'atPlaces', { axis: 0 }),
  node('ReduceSum', ['atPlaces', 'firstAxis'], 'counted places', { keepdims: 0 }),
  node('Cast', ['length'], 'number of places', { to: FLOAT }),
  node('Sub', ['counted places', 'number of places'], 'nothing'),
  node('Add', ['overlap', 'nothing'], 'score'),
];

/** One output is the score; two say no and yes. */
const OUTPUTS: Readonly<Record<1 | 2, readonly OnnxNode[]>> = {
  1: [node('Identity', ['score'], 'logits')],
  2: [node('Sub', ['score', 'score'], 'no'), node('Concat', ['no', 'score'], 'logits', { axis: 1 })],
};

const weightsOf = (mostTokens: number, labels: 1 | 2): Buffer =>
  onnxFile({
    nodes: [...PARTS, ...SHARED, ...WITHIN_POSITIONS, ...OUTPUTS[labels]],
    tensors: [
      integers('firstWord', [], MARKS.length),
      integers('one', [1], 1),
      integers('last', [1], 2),
      integers('bothAxes', [2], 1, 2),
      integers('firstAxis', [1], 0),
      integers('second', [], 1),
      integers('zero', [], 0),
      integers('step', [], 1),
      { name: 'positions', dims: [mostTokens], values: new Float32Array(mostTokens).fill(1) },
    ],
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map(tokenInput),
    outputs: [{ name: 'logits', kind: FLOAT, dims: ['batch', labels] }],
  });

const mark = (id: (typeof MARKS)[number], type: number) => ({ SpecialToken: { id, type_id: type } });
const part = (id: 'A' | 'B', type: number) => ({ Sequence: { id, type_id: type } });

/** The marks of BERT around a text and around a pair. */
const BERT_MARKS = {
  type: 'TemplateProcessing',
  single: [mark('[CLS]', 0), part('A', 0), mark('[SEP]', 0)],
  pair: [mark('[CLS]', 0), part('A', 0), mark('[SEP]', 0), part('B', 1), mark('[SEP]', 1)],
  special_tokens: Object.fromEntries(
    (['[CLS]', '[SEP]'] as const).map((id) => [id, { id, ids: [MARKS.indexOf(id)], tokens: [id] }]),
  ),
};

/** `texts`: the model knows their words and letters. */
export const tinyRerankerFiles = (
  texts: readonly string[],
  { mostTokens = MOST_TOKENS, labels = 1 }: { mostTokens?: number; labels?: 1 | 2 } = {},
): TinyFiles => ({
  weights: weightsOf(mostTokens, labels),
  tokenizer: tokenizerFile({
    pieces: [...MARKS, ...piecesOf(texts)],
    marks: MARKS,
    postProcessor: BERT_MARKS,
  }),
});

/** Puts the model into a folder of models, as an installation does. */
export const installTinyReranker = (
  folder: string,
  texts: readonly string[],
  row = tinyRerankerRow(),
  labels: 1 | 2 = 1,
): void => {
  const path = join(folder, row.name);
  writeModelFiles(path, row, tinyRerankerFiles(texts, { mostTokens: row.mostTokens, labels }));
  const files = { [row.files.weights]: 'w', [row.files.tokenizer]: 't' };
  recordInstalled(path, { row, files, installedAt: '2026-01-01T00:00:00Z', source: 'a test' });
};
