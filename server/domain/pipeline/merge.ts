// What becomes of a document's text when text arrives again under its customId. A stated text is never lost: in doubt it is appended.
import { readPart } from './conversation/labelled.ts';
import type { Conversation } from './conversation/turn.ts';
import { unixLines } from './lines.ts';
import { hasMessages, planConversations } from './merging/conversations.ts';
import { joined, joinedText } from './merging/join.ts';
import { planTexts } from './merging/texts.ts';
import { readConversation } from './parse-conversation.ts';

export interface Merged {
  /** identical: nothing is new. superset: the stored text is within the incoming one. replaced: an edited whole. */
  readonly decision: 'identical' | 'superset' | 'appended' | 'replaced';
  readonly text: string;
}

export function merge(stored: string, incoming: string): Merged {
  if (stored === incoming) return { decision: 'identical', text: stored };
  const old = unixLines(stored);
  const sent = unixLines(incoming);
  if (sent.trim() === '' || old.trim() === sent.trim()) return { decision: 'identical', text: stored };
  if (old.trim() === '') return { decision: 'superset', text: incoming };
  const before = messagesOf(old);
  const after = messagesOf(sent) ?? (before === null ? null : readPart(sent, before));
  const merged =
    before !== null && after !== null ? ofConversations(before, after) : ofTexts(before, old, sent);
  if (merged.decision === 'identical') return { decision: merged.decision, text: stored };
  if (merged.text === undefined) return { decision: merged.decision, text: incoming };
  const text = stored.includes('\r\n') ? merged.text.replaceAll('\n', '\r\n') : merged.text;
  return { decision: merged.decision, text };
}

/** Without a text it becomes the incoming one. */
type Outcome = Pick<Merged, 'decision'> & { readonly text?: string };

function messagesOf(text: string): Conversation | null {
  const conversation = readConversation(text);
  return conversation !== null && hasMessages(conversation) ? conversation : null;
}

function ofConversations(before: Conversation, after: Conversation): Outcome {
  const plan = planConversations(before, after);
  if (plan.decision !== 'appended') return plan;
  return { decision: 'appended', text: joined(before, after, plan.take) };
}

function ofTexts(before: Conversation | null, old: string, sent: string): Outcome {
  const plan = planTexts(old, sent);
  if (plan.decision !== 'appended') return plan;
  const addition = sent.slice(plan.from).trim();
  if (before !== null) return { decision: 'appended', text: joinedText(before, addition) };
  const separator = old.trim().includes('\n\n') || addition.includes('\n\n') ? '\n\n' : '\n';
  return { decision: 'appended', text: `${old.trimEnd()}${separator}${addition}` };
}
