// BEAM: long chats with an assistant; the evidence of a question are messages.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseDate } from '../../../../server/lib/text/dates/parse-date.ts';
import { readJson } from '../data.ts';
import type { BenchDocument, BenchSet, Space, Turn } from '../space.ts';

interface RawChat {
  id: string;
  messages: {
    id: number | string;
    role: 'user' | 'assistant';
    content: string;
    batch: number;
    date?: string;
  }[];
  questions: { question: string; category: string; evidence: (number | string)[] }[];
}

const sessionDate = (written: string | undefined): BenchDocument['date'] => {
  const at = written === undefined ? null : parseDate(written);
  return at === null || written === undefined ? null : { text: written, iso: new Date(at).toISOString() };
};

/** A session contains the messages of one batch on one date. */
function sessionsOf({ id, messages }: RawChat): BenchDocument[] {
  const sessions = Map.groupBy(messages, ({ batch, date }) => `${id}/b${batch}-${date ?? ''}`);
  return [...sessions].map(([session, said]) => ({
    id: session,
    date: sessionDate(said[0]?.date),
    title: null,
    turns: said.map(
      (message): Turn => ({
        id: String(message.id),
        speaker: message.role,
        role: message.role,
        text: message.content,
      }),
    ),
  }));
}

const spaceOf = (chat: RawChat): Space => ({
  id: chat.id,
  documents: sessionsOf(chat),
  questions: chat.questions
    .map(({ question, category, evidence }) => ({ text: question, category, evidence: evidence.map(String) }))
    .filter(({ category, evidence }) => category !== 'abstention' && evidence.length > 0),
});

/** Odd chats are for development, even ones are kept back. */
const isIn = (half: string, file: string): boolean =>
  (Number.parseInt(file, 10) % 2 === 1) === (half === 'dev');

/** `part`: the size, and a half of it: "100K", "100K/dev", "500K/held". */
export function beam(folder: string, part = '100K'): BenchSet {
  const [size = '100K', half] = part.split('/');
  const chats = join(folder, 'beam', size);
  const files = readdirSync(chats)
    .filter((file) => file.endsWith('.json') && (half === undefined || isIn(half, file)))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  const spaces = files.map((file) => spaceOf(readJson<RawChat>(join(chats, file))));
  return { level: 'turn', perQuestion: (limit) => limit, spaces };
}
