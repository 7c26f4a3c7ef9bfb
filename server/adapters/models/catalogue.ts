// The models that Memoir offers, one row each. docs/models.md helps a person to choose.
import { type ModelRow, modelRow } from '../../lib/models/model-row.ts';

const ONNX_8_BIT = 'onnx/model_quantized.onnx';
const BEFORE_A_QUESTION = 'Represent this sentence for searching relevant passages: ';

/** No hash is pinned of a file that nobody had in hand: it is recorded at the first download. */
export const catalogue: readonly ModelRow[] = [
  {
    name: 'minilm',
    kind: 'transformer' as const,
    hub: 'Xenova/all-MiniLM-L6-v2',
    files: { weights: ONNX_8_BIT },
    dimensions: 384,
    mostTokens: 256,
    languages: 'English',
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
    licence: 'MIT',
    megabytes: 35,
    use: 'Twice the layers of minilm: half as fast, better at English questions and documents.',
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
    licence: 'MIT',
    megabytes: 131,
    use: 'A vector for each word and no network: hundreds of times faster, for very many texts; it knows words and no sentences.',
  },
].map((row) => modelRow.parse(row));
