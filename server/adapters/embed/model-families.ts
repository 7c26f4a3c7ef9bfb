// Known families of embedding models, by their names: how a query and a passage begin, and if they know English alone.
// A row that changes makes the stored vectors of its models incomparable with new ones.

interface Prefixes {
  readonly query: string;
  readonly passage: string;
}

export interface ModelFamily {
  readonly prefixes: Prefixes;
  readonly onlyEnglish: boolean;
}

interface FamilyRow extends ModelFamily {
  readonly pattern: RegExp;
}

const BEFORE_ANY: Prefixes = { query: '', passage: '' };
const BEFORE_QUERY: Prefixes = {
  query: 'Represent this sentence for searching relevant passages: ',
  passage: '',
};
const INSTRUCTION: Prefixes = {
  query: 'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ',
  passage: '',
};
const NOMIC: Prefixes = { query: 'search_query: ', passage: 'search_document: ' };
const E5: Prefixes = { query: 'query: ', passage: 'passage: ' };

/** The first row that matches counts. */
const FAMILIES: readonly FamilyRow[] = [
  { pattern: /nomic-embed-text-v2/, prefixes: NOMIC, onlyEnglish: false },
  { pattern: /nomic-embed-text/, prefixes: NOMIC, onlyEnglish: true },
  { pattern: /mxbai-embed-large/, prefixes: BEFORE_QUERY, onlyEnglish: true },
  {
    pattern: /arctic-embed(?:2|-[ml]-v2)/,
    prefixes: { query: 'query: ', passage: '' },
    onlyEnglish: false,
  },
  { pattern: /arctic-embed/, prefixes: BEFORE_QUERY, onlyEnglish: true },
  { pattern: /bge-(?:small|base|large)(?!-zh)/, prefixes: BEFORE_QUERY, onlyEnglish: true },
  { pattern: /multilingual-e5.*instruct/, prefixes: INSTRUCTION, onlyEnglish: false },
  { pattern: /multilingual-e5/, prefixes: E5, onlyEnglish: false },
  { pattern: /\be5-(?:small|base|large)/, prefixes: E5, onlyEnglish: true },
  {
    pattern: /embeddinggemma/,
    prefixes: { query: 'task: search result | query: ', passage: 'title: none | text: ' },
    onlyEnglish: false,
  },
  { pattern: /qwen3-embedding/, prefixes: INSTRUCTION, onlyEnglish: false },
  { pattern: /all-minilm|all-mpnet/, prefixes: BEFORE_ANY, onlyEnglish: true },
];

const UNKNOWN: ModelFamily = { prefixes: BEFORE_ANY, onlyEnglish: false };

export const modelFamily = (model: string): ModelFamily => {
  const name = model.toLowerCase();
  return FAMILIES.find(({ pattern }) => pattern.test(name)) ?? UNKNOWN;
};
