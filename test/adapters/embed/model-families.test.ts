// Tests of the known families of embedding models.
import { expect, test } from 'vitest';
import { modelFamily } from '../../../server/adapters/embed/model-families.ts';

const QUERY_FIRST = 'Represent this sentence for searching relevant passages: ';

test.each([
  ['nomic-embed-text', 'search_query: ', 'search_document: ', true],
  ['text-embedding-nomic-embed-text-v1.5', 'search_query: ', 'search_document: ', true],
  ['nomic-embed-text-v2-moe', 'search_query: ', 'search_document: ', false],
  ['mxbai-embed-large:335m', QUERY_FIRST, '', true],
  ['snowflake-arctic-embed:22m', QUERY_FIRST, '', true],
  ['snowflake-arctic-embed2', 'query: ', '', false],
  ['Snowflake/snowflake-arctic-embed-l-v2.0', 'query: ', '', false],
  ['BAAI/bge-small-en-v1.5', QUERY_FIRST, '', true],
  ['bge-large:335m', QUERY_FIRST, '', true],
  ['BAAI/bge-small-zh-v1.5', '', '', false],
  ['bge-m3', '', '', false],
  ['intfloat/multilingual-e5-small', 'query: ', 'passage: ', false],
  ['intfloat/e5-base-v2', 'query: ', 'passage: ', true],
  ['embeddinggemma:300m', 'task: search result | query: ', 'title: none | text: ', false],
  ['all-minilm', '', '', true],
  ['a-model-of-tomorrow', '', '', false],
])('%s begins its texts as it was trained', (model, query, before, onlyEnglish) => {
  expect(modelFamily(model)).toMatchObject({ prefixes: { query, passage: before }, onlyEnglish });
});

test.each(['qwen3-embedding:0.6b', 'intfloat/multilingual-e5-large-instruct'])(
  '%s gets an instruction before a query',
  (model) => {
    expect(modelFamily(model).prefixes.query).toMatch(/^Instruct: .*\nQuery: $/);
    expect(modelFamily(model).prefixes.passage).toBe('');
  },
);
