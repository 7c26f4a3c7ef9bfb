// A text whose shape says a part of what it states: a list under a heading, a form, a mail, minutes, an export of a chat.

export interface ShapedText {
  readonly text: string;
  /** One row for each fact: the words that one memory has to hold. */
  readonly states: readonly (readonly string[])[];
  /** Words that no memory may hold. */
  readonly never?: readonly string[];
}
