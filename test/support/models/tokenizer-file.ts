// Writes the tokenizer of a tiny model: words, and letters for words that it does not know.

export const UNKNOWN = '[UNK]';

export const piecesOf = (texts: readonly string[]): string[] => {
  const plain = texts.join(' ').normalize('NFC').toLowerCase();
  const words = plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const letters = [...new Set(plain.replace(/\s/g, ''))];
  return [...new Set([...words, ...letters, ...letters.map((letter) => `##${letter}`)])];
};

export interface TokenizerParts {
  /** In the order of their numbers. */
  readonly pieces: readonly string[];
  /** The pieces among them that are marks and no words. */
  readonly marks: readonly string[];
  /** Puts the marks around texts; null: none are put. */
  readonly postProcessor: object | null;
}

export const tokenizerFile = ({ pieces, marks, postProcessor }: TokenizerParts): Buffer =>
  Buffer.from(
    JSON.stringify({
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: marks.map((content) => ({
        id: pieces.indexOf(content),
        content,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
      })),
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: false,
        lowercase: true,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: postProcessor,
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: UNKNOWN,
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(pieces.map((piece, at) => [piece, at])),
      },
    }),
  );
