// XML read as it streams: no tree, no entities of its own, bounded depth and number of elements.
import { SaxesParser } from 'saxes';
import type { IngestError } from '../../../errors.ts';
import { markOf } from '../detect/charset.ts';
import { failure, failureOf } from '../failures.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Names come without their prefix: programs choose prefixes as they like. */
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
/** More than any text may have, as XML also holds what is no text. */
const MOST_CHARACTERS = 100_000_000;

const bare = (name: string): string => name.slice(name.indexOf(':') + 1);

/** By its bare name: `val` finds `w:val`. The one without a prefix comes first. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name];
  for (const given in attributes) if (bare(given) === name) return attributes[given];
  return undefined;
}

/** With a prefix, whichever: `r:id` beside `id`. */
export function prefixed(attributes: Attributes, name: string): string | undefined {
  for (const given in attributes) if (given !== name && bare(given) === name) return attributes[given];
  return undefined;
}

/** `drain` is awaited between two pieces of the stream: there, and only there, what was found is handed on. */
export async function parseXml(
  stream: AsyncIterable<Uint8Array>,
  handlers: XmlHandlers,
  budget: XmlBudget,
  drain: () => Promise<void> = async () => undefined,
): Promise<void> {
  const { parser, check } = createParser(handlers, budget);
  let decoder: TextDecoder | null = null;
  try {
    for await (const bytes of stream) {
      decoder ??= new TextDecoder(markOf(bytes) ?? 'utf-8');
      parser.write(decoder.decode(bytes, { stream: true }));
      check();
      await drain();
    }
    parser.close();
    check();
  } catch (error) {
    throw failureOf('corrupt_file', error);
  }
  await drain();
}

function createParser(handlers: XmlHandlers, budget: XmlBudget) {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  let wrong: IngestError | null = null;
  // Thrown from a handler it would be lost among the parser's own; so it is kept, and all after it ignored.
  const refuse = (error: IngestError) => {
    wrong ??= error;
  };
  parser.on('error', (error) => refuse(failure('corrupt_file', { cause: error })));
  parser.on('doctype', () => refuse(failure('unsafe_xml')));
  parser.on('opentag', ({ name, attributes }) => {
    depth++;
    budget.elements++;
    if (depth > DEEPEST) refuse(failure('too_deep'));
    if (budget.elements > MOST_ELEMENTS) refuse(failure('too_many_elements'));
    if (wrong === null) handlers.open?.(bare(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    if (wrong === null) handlers.close?.(bare(name));
  });
  const text = (said: string) => {
    budget.characters += said.length;
    if (budget.characters > MOST_CHARACTERS) refuse(failure('text_too_large'));
    if (wrong === null) handlers.text?.(said);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  return {
    parser,
    check() {
      if (wrong !== null) throw wrong;
    },
  };
}
