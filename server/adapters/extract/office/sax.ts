// XML as a stream of events: no tree, no declared entities, limits on depth, elements and characters.
import type { SaxesParser } from 'saxes';
import type { IngestError } from '../../../core/errors.ts';
import { markOf } from '../../../lib/text/charset.ts';
import { asFailure, failure } from '../failures.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Names come without their prefix, because programs choose prefixes freely. */
export interface XmlHandlers {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Shared by all the parts of one file. */
export interface XmlBudget {
  elements: number;
  characters: number;
}

export const freshBudget = (): XmlBudget => ({ elements: 0, characters: 0 });

const DEEPEST = 400;
const MOST_ELEMENTS = 8_000_000;
/** More than the text limit of a content, because XML has characters that are not its text. */
const MOST_CHARACTERS = 100_000_000;
/** The longest name, attribute, comment or text: the parser keeps each as a whole. */
const LONGEST_TOKEN = 8_000_000;

const LONG_TOKEN =
  'A single attribute or text of this file is longer than 8 million characters, as in harmful files.';

const withoutPrefix = (name: string): string => name.slice(name.indexOf(':') + 1);

/** By its bare name: `val` finds `w:val`. An attribute without a prefix comes first. */
export const attribute = (attributes: Attributes, name: string): string | undefined => {
  if (attributes[name] !== undefined) return attributes[name];
  for (const full in attributes) if (withoutPrefix(full) === name) return attributes[full];
  return undefined;
};

/** The attribute with a prefix: `r:id` although there is an `id`. */
export const prefixedAttribute = (attributes: Attributes, name: string): string | undefined => {
  for (const full in attributes) if (full !== name && withoutPrefix(full) === name) return attributes[full];
  return undefined;
};

interface XmlChecks {
  /** Throws the first failure. A handler cannot throw it: the parser would swallow the error. */
  check(): void;
  /** Call with the length of each piece that was parsed. */
  count(characters: number): void;
}

/** `drain` is awaited between two pieces of the stream; it sends the results so far to the sink. */
export const parseXml = async (
  stream: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
  budget: XmlBudget,
  drain: () => Promise<void> = async () => undefined,
): Promise<void> => {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: false, position: false });
  const { check, count } = connectHandlers(parser, handlers, budget);
  let decoder: TextDecoder | null = null;
  try {
    for await (const bytes of stream) {
      decoder ??= new TextDecoder(markOf(bytes) ?? 'utf-8');
      const piece = decoder.decode(bytes, { stream: true });
      parser.write(piece);
      count(piece.length);
      check();
      await drain();
    }
    parser.close();
    check();
  } catch (error) {
    throw asFailure('corrupt_file', error);
  }
  await drain();
};

const connectHandlers = (parser: SaxesParser, handlers: XmlHandlers, budget: XmlBudget): XmlChecks => {
  let depth = 0;
  /** The characters since the parser ended a token. */
  let token = 0;
  let tokenEnded = false;
  let failed: IngestError | null = null;
  const refuse = (error: IngestError) => {
    failed ??= error;
  };
  parser.on('error', (error) => refuse(failure('corrupt_file', { cause: error })));
  parser.on('doctype', () => refuse(failure('unsafe_xml')));
  const spend = (characters: number) => {
    tokenEnded = true;
    budget.characters += characters;
    if (budget.characters > MOST_CHARACTERS) refuse(failure('text_too_large'));
  };
  parser.on('attribute', ({ value }) => spend(value.length));
  parser.on('opentag', ({ name, attributes }) => {
    tokenEnded = true;
    depth++;
    budget.elements++;
    if (depth > DEEPEST) refuse(failure('too_deep'));
    if (budget.elements > MOST_ELEMENTS) refuse(failure('too_many_elements'));
    if (failed === null) handlers.open?.(withoutPrefix(name), attributes as Attributes);
  });
  parser.on('closetag', ({ name }) => {
    tokenEnded = true;
    depth--;
    if (failed === null) handlers.close?.(withoutPrefix(name));
  });
  const text = (piece: string) => {
    spend(piece.length);
    if (failed === null) handlers.text?.(piece);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  return {
    check() {
      if (failed !== null) throw failed;
    },
    count(characters) {
      token = tokenEnded ? 0 : token + characters;
      tokenEnded = false;
      if (token > LONGEST_TOKEN) refuse(failure('text_too_large', { what: LONG_TOKEN }));
    },
  };
};
