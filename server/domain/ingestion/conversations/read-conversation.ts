// Reads a text in any supported form as a conversation; null for ordinary text. Text outside the messages is kept.

import { unixLines } from '../../../lib/text/lines.ts';
import { readCaptions } from './captions.ts';
import type { Conversation } from './conversation.ts';
import { readInline } from './inline-labels.ts';
import { readJsonConversation } from './json-conversation.ts';
import { readLabelled, readLabelledExcerpt } from './labelled-lines.ts';
import { MARKED_FORMS } from './marked/forms.ts';
import { readMarked, readMarkedExcerpt } from './marked/read-marked.ts';

export const readConversation = (text: string): Conversation | null => {
  const source = unixLines(text);
  const json = readJsonConversation(source);
  if (json !== undefined) return json;
  for (const read of TEXT_FORMS) {
    const conversation = read(source);
    if (conversation !== null) return conversation;
  }
  return null;
};

/** For a part of a known conversation: a single message in its form is a message. */
export const readExcerpt = (source: string, whole: Conversation): Conversation | null => {
  const form = MARKED_FORMS.find(({ name }) => name === whole.form?.name);
  return (form && readMarkedExcerpt(source, form)) ?? readLabelledExcerpt(source, whole);
};

/** Labels inside a line are searched only if the lines give a single message. */
const readLines = (source: string): Conversation | null => {
  const lines = readLabelled(source);
  return lines !== null && lines.turns.length > 1 ? lines : (readInline(source) ?? lines);
};

/** The forms of text, the surest first. */
const TEXT_FORMS: readonly ((source: string) => Conversation | null)[] = [
  ...MARKED_FORMS.map((form) => (source: string) => readMarked(source, form)),
  readCaptions,
  readLines,
];
