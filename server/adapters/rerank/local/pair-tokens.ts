// Encodes a query and a passage as one row of tokens, as cross-encoders read them.
import type { TokenRow } from '../../../lib/models/onnx-model.ts';
import type { Tokenizer } from '../../../lib/models/runtime.ts';

/** Special tokens, each with the part of the pair that it counts to. */
interface Marks {
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

/** The marks around the two texts, and the types of their tokens. */
interface PairFrame {
  readonly before: Marks;
  readonly between: Marks;
  readonly after: Marks;
  readonly queryType: number;
  readonly passageType: number;
}

/** Any text serves that has a token. */
const PROBE = 'a';

const tokenIds = (tokenizer: Tokenizer, text: string): readonly number[] =>
  tokenizer.encode(text, { add_special_tokens: false }).ids;

/** The library cuts no pair, so the pair is put together here, with the marks that an encoded pair shows. */
const readFrame = (tokenizer: Tokenizer): PairFrame => {
  const word = tokenIds(tokenizer, PROBE);
  const { ids, token_type_ids } = tokenizer.encode(PROBE, { text_pair: PROBE, return_token_type_ids: true });
  const types = token_type_ids ?? ids.map(() => 0);
  const marks = (from: number, to: number): Marks => ({
    ids: ids.slice(from, to),
    types: types.slice(from, to),
  });
  const query = ids.indexOf(word[0] ?? 0);
  const end = ids.lastIndexOf(word.at(-1) ?? 0) + 1;
  return {
    before: marks(0, query),
    between: marks(query + word.length, end - word.length),
    after: marks(end, ids.length),
    queryType: types[query] ?? 0,
    passageType: types[end - 1] ?? 0,
  };
};

const withType = (ids: readonly number[], type: number): Marks => ({ ids, types: ids.map(() => type) });

/** The rows of one query with passages. */
export type PairsOf = (query: string) => (passage: string) => TokenRow;

/**
 * A pair that is too long loses the end of its passage. A query keeps all its tokens up to half of the room; a longer one
 * loses its end too, so that the passage keeps the other half.
 */
export const createPairEncoder = (tokenizer: Tokenizer, mostTokens: number): PairsOf => {
  const { before, between, after, queryType, passageType } = readFrame(tokenizer);
  const room = mostTokens - before.ids.length - between.ids.length - after.ids.length;
  return (query) => {
    const asked = tokenIds(tokenizer, query);
    return (passage) => {
      const told = tokenIds(tokenizer, passage).slice(0, Math.max(room - asked.length, Math.floor(room / 2)));
      const parts = [
        before,
        withType(asked.slice(0, room - told.length), queryType),
        between,
        withType(told, passageType),
        after,
      ];
      return { ids: parts.flatMap(({ ids }) => ids), types: parts.flatMap(({ types }) => types) };
    };
  };
};
