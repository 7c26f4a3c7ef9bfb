// Merges a re-sent text with the stored text under the same customId. No text is lost: in doubt it is appended.

import { unixLines } from '../../../lib/text/lines.ts';
import type { Conversation } from '../conversations/conversation.ts';
import { readConversation, readExcerpt } from '../conversations/read-conversation.ts';
import { appendText, appendTurns } from './append-turns.ts';
import { hasMessages, planConversations } from './plan-conversation.ts';
import { planTexts } from './plan-text.ts';

export interface Merged {
  /** identical: nothing is new. superset: the stored text is within the incoming one. replaced: an edited whole. */
  readonly decision: 'identical' | 'superset' | 'appended' | 'replaced';
  readonly text: string;
}

export const mergeTexts = (stored: string, incoming: string): Merged => {
  if (stored === incoming) return { decision: 'identical', text: stored };
  const old = unixLines(stored);
  const sent = unixLines(incoming);
  if (sent.trim() === '' || old.trim() === sent.trim()) return { decision: 'identical', text: stored };
  if (old.trim() === '') return { decision: 'superset', text: incoming };
  const before = conversationIn(old);
  const after = conversationIn(sent) ?? (before === null ? null : readExcerpt(sent, before));
  const merged =
    before !== null && after !== null ? ofConversations(before, after) : ofTexts(before, old, sent);
  if (merged.decision === 'identical') return { decision: merged.decision, text: stored };
  if (merged.text === undefined) return { decision: merged.decision, text: incoming };
  const text = stored.includes('\r\n') ? merged.text.replaceAll('\n', '\r\n') : merged.text;
  return { decision: merged.decision, text };
};

/** Without a stored text the result is the incoming one. */
type Outcome = Pick<Merged, 'decision'> & { readonly text?: string };

const conversationIn = (text: string): Conversation | null => {
  const conversation = readConversation(text);
  return conversation !== null && hasMessages(conversation) ? conversation : null;
};

const ofConversations = (before: Conversation, after: Conversation): Outcome => {
  const plan = planConversations(before, after);
  if (plan.decision !== 'appended') return plan;
  return { decision: 'appended', text: appendTurns(before, after, plan.take) };
};

const ofTexts = (before: Conversation | null, old: string, sent: string): Outcome => {
  const plan = planTexts(old, sent);
  if (plan.decision !== 'appended') return plan;
  const addition = sent.slice(plan.from).trim();
  if (before !== null) return { decision: 'appended', text: appendText(before, addition) };
  const separator = old.trim().includes('\n\n') || addition.includes('\n\n') ? '\n\n' : '\n';
  return { decision: 'appended', text: `${old.trimEnd()}${separator}${addition}` };
};
