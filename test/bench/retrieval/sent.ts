// A document of a set as a client sends it.
import type { BenchDocument, Turn } from './space.ts';

export interface Sending {
  /** A text of role-prefixed lines, or the messages as JSON. */
  format: 'lines' | 'json';
  /** Each message is a document of its own. */
  perTurn: boolean;
}

export interface Sent {
  content: string;
  customId: string;
  metadata: Record<string, string>;
}

const lineOf = ({ speaker, text }: Turn): string => (speaker === null ? text : `${speaker}: ${text}`);

const dateLine = ({ date }: BenchDocument): string => (date === null ? '' : `Date: ${date.text}\n`);

function asLines(document: BenchDocument): string {
  const title = document.title === null ? '' : `${document.title}\n\n`;
  return `${dateLine(document)}${title}${document.turns.map(lineOf).join('\n')}`;
}

function asJson({ date, turns }: BenchDocument): string {
  const dated = date === null ? '' : `Here is the date the following session took place: ${date.text}\n\n`;
  const messages = turns.map(({ role, text, speaker }) => ({ role: role ?? 'user', content: text, speaker }));
  return `${dated}Here is the session as a stringified JSON:\n${JSON.stringify(messages)}`;
}

const idOf = (text: string): string => text.replace(/[^\w-]/g, '_').slice(0, 255);

/** An empty document cannot be added: two abstracts of Cranfield are empty. */
const saysSomething = ({ title, turns }: BenchDocument): boolean =>
  title !== null || turns.some(({ text }) => text.trim() !== '');

export function sentAs(tag: string, document: BenchDocument, { format, perTurn }: Sending): Sent[] {
  if (!saysSomething(document)) return [];
  const metadata = {
    bench_doc: document.id,
    ...(document.date === null ? {} : { date: document.date.iso }),
  };
  if (!perTurn) {
    const content = format === 'json' ? asJson(document) : asLines(document);
    return [{ content, customId: idOf(`${tag}-${document.id}`), metadata }];
  }
  return document.turns.map((turn) => ({
    content: `${dateLine(document)}${lineOf(turn)}`,
    customId: idOf(`${tag}-${turn.id}`),
    metadata: { ...metadata, bench_turn: turn.id },
  }));
}
