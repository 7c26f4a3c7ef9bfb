// Keeps what agents are told short: every character of it takes room in a model's context.

/** Of a whole result as it travels, data and text together. */
export const maxResultCharacters = 6_000;

/** For what the protocol adds around an answer. */
const ENVELOPE = 200;

const sizeOf = (data: object, text: string): number =>
  JSON.stringify({ content: [{ type: 'text', text }], structuredContent: data }).length + ENVELOPE;

export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;

/** As many of the items, from the first, as an answer made of them can hold. */
export function asManyAsFit<Item, Answer extends object>(
  items: readonly Item[],
  answerWith: (some: readonly Item[]) => Answer,
  text: (answer: Answer) => string,
): Answer {
  let fitting = answerWith([]);
  for (let count = 1; count <= items.length; count++) {
    const longer = answerWith(items.slice(0, count));
    if (sizeOf(longer, text(longer)) > maxResultCharacters) break;
    fitting = longer;
  }
  return fitting;
}
