// The models that Memoir offers, one row each. docs/models.md helps a person to choose.
import { type ModelRow, modelRow } from '../../lib/models/model-row.ts';
import { once } from '../../lib/once.ts';
import { languageRows } from './languages.ts';

/** 8-bit weights, as most repositories name them. */
const ONNX_8_BIT = 'onnx/model_quantized.onnx';
const BEFORE_A_QUESTION = 'Represent this sentence for searching relevant passages: ';

/** No hash is pinned of a file that nobody had in hand: it is recorded at the first download. */
const ROWS = [
  {
    name: 'minilm',
    kind: 'transformer' as const,
    hub: 'Xenova/all-MiniLM-L6-v2',
    files: { weights: ONNX_8_BIT },
    dimensions: 384,
    mostTokens: 256,
    languages: 'English',
    onlyEnglish: true,
    licence: 'Apache-2.0',
    megabytes: 24,
    use: 'The usual first choice: small, fast, and good at short English texts.',
  },
  {
    name: 'arctic-xs',
    kind: 'transformer' as const,
    hub: 'Snowflake/snowflake-arctic-embed-xs',
    files: { weights: ONNX_8_BIT },
    dimensions: 384,
    pooling: 'first' as const,
    prefixes: { query: BEFORE_A_QUESTION, passage: '' },
    languages: 'English',
    onlyEnglish: true,
    licence: 'Apache-2.0',
    megabytes: 24,
    use: 'As small and fast as minilm, and trained for search: questions against longer English texts.',
  },
  {
    name: 'bge-small',
    kind: 'transformer' as const,
    hub: 'Xenova/bge-small-en-v1.5',
    files: { weights: ONNX_8_BIT },
    dimensions: 384,
    pooling: 'first' as const,
    prefixes: { query: BEFORE_A_QUESTION, passage: '' },
    languages: 'English',
    onlyEnglish: true,
    licence: 'MIT',
    megabytes: 35,
    use: 'Twice the layers of minilm: half as fast, and not better where both were measured.',
  },
  {
    name: 'e5-small',
    kind: 'transformer' as const,
    hub: 'Xenova/multilingual-e5-small',
    files: { weights: ONNX_8_BIT },
    dimensions: 384,
    prefixes: { query: 'query: ', passage: 'passage: ' },
    languages: 'about 100 languages',
    licence: 'MIT',
    megabytes: 135,
    use: 'For texts in other languages than English, also mixed: a question in one finds a text in another.',
  },
  {
    name: 'potion',
    kind: 'static' as const,
    hub: 'minishlab/potion-retrieval-32M',
    files: { weights: 'model.safetensors' },
    dimensions: 512,
    mostTokens: 4_096,
    languages: 'English',
    onlyEnglish: true,
    licence: 'MIT',
    megabytes: 131,
    use: 'A vector for each word and no network: hundreds of times faster, for very many texts; it knows words and no sentences.',
  },
  {
    name: 'msmarco-minilm',
    for: 'reranking' as const,
    hub: 'Xenova/ms-marco-MiniLM-L-6-v2',
    revision: 'a09144355adeed5f58c8ed011d209bf8ee5a1fec',
    files: { weights: ONNX_8_BIT },
    languages: 'English',
    licence: 'Apache-2.0',
    megabytes: 24,
    use: 'Reranks results in English: small, and the faster of the two.',
  },
  {
    name: 'mmarco-multilingual',
    for: 'reranking' as const,
    hub: 'cross-encoder/mmarco-mMiniLMv2-L12-H384-v1',
    revision: '1427fd652930e4ba29e8149678df786c240d8825',
    files: { weights: 'onnx/model_quint8_avx2.onnx' },
    languages: 'trained on 14 languages, serves about 100',
    licence: 'Apache-2.0',
    megabytes: 136,
    use: 'Reranks results in other languages than English, also mixed; twice the layers, half as fast.',
  },
  ...languageRows,
];

export const catalogue = once((): readonly ModelRow[] => ROWS.map((row) => modelRow.parse(row)));
