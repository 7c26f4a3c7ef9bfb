// LongMemEval: chats with an assistant; the evidence of a question are sessions. Reads the official files and the small
// excerpt, in which several questions share one history.
import { join } from 'node:path';
import { parseDate } from '../../../../server/lib/text/dates/parse-date.ts';
import { readJson } from '../data.ts';
import type { BenchDocument, BenchQuestion, BenchSet, Space } from '../space.ts';

interface RawTurn {
  role: 'user' | 'assistant';
  content: string;
}

interface RawSession {
  session_id: string;
  date: string;
  turns: RawTurn[];
}

interface RawQuestion {
  question_id: string;
  question_type: string;
  question: string;
  answer_session_ids: string[];
}

/** Official: each question with its own history. */
interface RawInstance extends RawQuestion {
  haystack_session_ids: string[];
  haystack_dates: string[];
  haystack_sessions: RawTurn[][];
}

interface RawExcerpt {
  haystacks: Record<string, RawSession[]>;
  questions: (RawQuestion & { haystack: string })[];
}

/** The history for all questions of the excerpt. */
const POOL = 'pool';
const EXCERPT = 'longmemeval_mini.json';
/** Several passages of one session count once. */
const PASSAGES_PER_SESSION = 3;

const sessionOf = ({ session_id, date, turns }: RawSession): BenchDocument => {
  const at = parseDate(date);
  return {
    id: session_id,
    date: at === null ? null : { text: date, iso: new Date(at).toISOString() },
    title: null,
    turns: turns.map(({ role, content }, n) => ({
      id: `${session_id}#${n}`,
      speaker: role,
      role,
      text: content,
    })),
  };
};

const questionOf = (raw: RawQuestion, sessions: readonly RawSession[]): BenchQuestion[] => {
  const there = new Set(sessions.map(({ session_id }) => session_id));
  const evidence = raw.answer_session_ids.filter((id) => there.has(id));
  const isUnanswerable = raw.question_id.endsWith('_abs');
  return isUnanswerable || evidence.length === 0
    ? []
    : [{ text: raw.question, category: raw.question_type, evidence }];
};

const spaceOf = (id: string, sessions: readonly RawSession[], questions: readonly RawQuestion[]): Space => ({
  id: `lme-${id}`,
  documents: sessions.map(sessionOf),
  questions: questions.flatMap((question) => questionOf(question, sessions)),
});

const sessionsOf = (raw: RawInstance): RawSession[] =>
  raw.haystack_sessions.map((turns, at) => ({
    turns,
    session_id: raw.haystack_session_ids[at] ?? String(at),
    date: raw.haystack_dates[at] ?? '',
  }));

const spacesOf = ({ haystacks, questions }: RawExcerpt, pool: boolean): Space[] =>
  Object.entries(haystacks)
    .filter(([name]) => (name === POOL) === pool)
    .map(([name, sessions]) =>
      spaceOf(name, sessions, pool ? questions : questions.filter(({ haystack }) => haystack === name)),
    );

/** `part`: mini or pool, of the excerpt; anything else is the path of an official file. */
export function longmemeval(folder: string, part = 'mini'): BenchSet {
  const isExcerpt = part === 'mini' || part === POOL;
  const spaces = isExcerpt
    ? spacesOf(readJson<RawExcerpt>(join(folder, 'longmemeval-mini', EXCERPT)), part === POOL)
    : readJson<RawInstance[]>(part).map((raw) => spaceOf(raw.question_id, sessionsOf(raw), [raw]));
  return {
    level: 'document',
    perQuestion: (limit) => PASSAGES_PER_SESSION * limit,
    spaces: spaces.filter(({ questions }) => questions.length > 0),
  };
}
