// The text that a model embeds for a passage: the passage after its context.
import { cutText } from '../../lib/text/cut.ts';
import type { Passage } from './port.ts';

/** Sent for an empty text: services refuse an empty input. */
const EMPTY_TEXT = '.';

export const sendable = (text: string): string => (text.trim() === '' ? EMPTY_TEXT : text.toWellFormed());

/** "date — speaker", title, the turn before, the passage. The context is cut first when the text is too long. */
export const passageInput = (passage: Passage, limit: number): string => {
  const header = [passage.date, passage.speaker].filter(Boolean).join(' — ');
  const context = [header, passage.title, passage.previous[0]].filter(Boolean).join('\n');
  const body = cutText(passage.text, limit);
  const before = cutText(context, Math.max(0, limit - body.length - 1));
  return sendable(before === '' ? body : `${before}\n${body}`);
};
