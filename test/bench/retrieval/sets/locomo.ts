// LoCoMo: long conversations between two people; the evidence of a question are turns.
import { join } from 'node:path';
import { parseDate } from '../../../../server/lib/text/dates/parse-date.ts';
import { readJson } from '../data.ts';
import type { BenchDocument, BenchQuestion, BenchSet, Space, Turn } from '../space.ts';

interface RawTurn {
  dia_id: string;
  speaker: string;
  text: string;
  blip_caption?: string;
}

interface RawConversation {
  sample_id: string;
  conversation: { speaker_a: string; speaker_b: string } & Record<string, unknown>;
  qa: { question: string; category: number; evidence?: unknown[] }[];
}

/** Split before anything was measured; constants were chosen on the first half. */
const HALVES: Readonly<Record<string, readonly string[]>> = {
  dev: ['conv-26', 'conv-41', 'conv-43', 'conv-47', 'conv-49'],
  held: ['conv-30', 'conv-42', 'conv-44', 'conv-48', 'conv-50'],
};

const CATEGORIES = ['multi-hop', 'temporal', 'open-domain', 'single-hop'];
const MOST_SESSIONS = 200;

const turnOf =
  (userIs: string) =>
  ({ dia_id, speaker, text, blip_caption }: RawTurn): Turn => ({
    id: dia_id,
    speaker,
    role: speaker === userIs ? 'user' : 'assistant',
    text: blip_caption ? `${text} [shares a photo of ${blip_caption}]` : text,
    ...(text === '' ? {} : { recognisedBy: text }),
  });

function sessionsOf({ sample_id, conversation }: RawConversation): BenchDocument[] {
  const sessions: BenchDocument[] = [];
  for (let number = 1; number <= MOST_SESSIONS; number++) {
    const turns = conversation[`session_${number}`] as RawTurn[] | undefined;
    if (turns === undefined || turns.length === 0) continue;
    const written = String(conversation[`session_${number}_date_time`] ?? '');
    const at = parseDate(written);
    sessions.push({
      id: `${sample_id}/session_${number}`,
      date: at === null ? null : { text: written, iso: new Date(at).toISOString() },
      title: null,
      turns: turns.map(turnOf(conversation.speaker_a)),
    });
  }
  return sessions;
}

/** "D8:6; D9:17" names two turns, "D1:05" the fifth. */
const namedTurns = (evidence: readonly unknown[]): string[] =>
  evidence
    .flatMap((one) => String(one).match(/D\d+:\d+/g) ?? [])
    .map((name) => name.replace(/:0+(?=\d)/, ':'));

function spaceOf(raw: RawConversation): Space {
  const documents = sessionsOf(raw);
  const known = new Set(documents.flatMap(({ turns }) => turns.map(({ id }) => id)));
  const questions = raw.qa.flatMap(({ question, category, evidence }): BenchQuestion[] => {
    const name = CATEGORIES[category - 1];
    const turns = [...new Set(namedTurns(evidence ?? []))].filter((id) => known.has(id));
    // Category 5 asks about statements that were never made.
    return name === undefined || turns.length === 0
      ? []
      : [{ text: question, category: name, evidence: turns }];
  });
  return { id: raw.sample_id, documents, questions };
}

/** `part`: dev, held, or one conversation; undefined: all available ones. */
export function locomo(folder: string, part: string | undefined): BenchSet {
  const all = readJson<RawConversation[]>(join(folder, 'locomo', 'locomo10.json'));
  const wanted = part === undefined ? null : (HALVES[part] ?? [part]);
  const chosen = all.filter(({ sample_id }) => wanted === null || wanted.includes(sample_id));
  return { level: 'turn', perQuestion: (limit) => limit, spaces: chosen.map(spaceOf) };
}
