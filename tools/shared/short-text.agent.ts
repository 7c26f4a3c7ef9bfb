// Keeps answers to agents short: every character uses space in a model's context.

/** The size of a whole result as it is sent, data and text together. */
export const maxResultCharacters = 6_000;

/** The size that the protocol adds around an answer. */
const ENVELOPE = 200;

const answerSize = (data: object, text: string): number =>
  JSON.stringify({ content: [{ type: 'text', text }], structuredContent: data }).length + ENVELOPE;

export const cutForAgent = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;

const bareText = (text: string): string =>
  text
    .trim()
    .replace(/[.!。！]+$/u, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

/** True: the texts differ in case, spaces or the full stop at their end alone. */
export const saySame = (one: string, other: string): boolean => bareText(one) === bareText(other);

/** Builds the answer with as many of the first items as fit into the size limit. */
export const asManyAsFit = <Item, Answer extends object>(
  items: readonly Item[],
  answerWith: (some: readonly Item[]) => Answer,
  text: (answer: Answer) => string,
): Answer => {
  let fitting = answerWith([]);
  for (let count = 1; count <= items.length; count++) {
    const longer = answerWith(items.slice(0, count));
    if (answerSize(longer, text(longer)) > maxResultCharacters) break;
    fitting = longer;
  }
  return fitting;
};
