// The answers of a careful model to the scenarios, recorded from the statements of the rules, line by line.
import type {
  MemoryReader,
  ReadRequest,
  ReadResult,
} from '../../server/adapters/language-model/ports/memory-reader.ts';
import { writtenDate } from '../../server/lib/text/dates/format.ts';
import type { Recorded } from '../adapters/language-model/chat-server.ts';
import { play } from './book.ts';
import type { Scenario } from './scenario.ts';

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The line as the question to a model holds it. */
function lineOf(request: ReadRequest, position: number): string {
  const utterance = request.fresh.find((one) => one.position === position);
  const name = request.conversation
    ? (utterance?.speaker ?? (utterance?.role === 'assistant' ? 'assistant' : 'the user'))
    : '';
  const date = utterance?.date == null ? '' : ` (${writtenDate(utterance.date)})`;
  return `${name}${date}${name || date ? ': ' : ''}${utterance?.text ?? ''}`;
}

function note(request: ReadRequest, { memories }: ReadResult, recording: Map<string, Recorded[]>): void {
  const dated = request.documentDate === null ? '' : writtenDate(request.documentDate);
  const texts = new Map(request.known.map(({ id, memory }) => [id, memory]));
  for (const drawn of memories) {
    const key = `${dated}|${lineOf(request, drawn.positions[0] ?? 0)}`;
    const isSame = [...texts.values()].includes(drawn.memory);
    const younger = drawn.outdatedBy === null ? [] : [texts.get(drawn.outdatedBy) ?? ''];
    const relations = drawn.relations.filter(
      (relation) => relation.kind !== 'doubts' && relation.kind !== 'hints',
    );
    const related = relations.map(
      ({ to }) => ('known' in to ? texts.get(to.known) : memories[to.drawn]?.memory) ?? '',
    );
    const kind = isSame ? 'same' : younger.length > 0 ? 'updates' : relations[0]?.kind;
    const recorded: Recorded = {
      memory: drawn.memory,
      static: drawn.isStatic,
      dates: drawn.eventDates.map(day),
      of: isSame ? [drawn.memory] : [...younger, ...related],
      ...(kind && kind !== 'derives' && kind !== 'doubts' && kind !== 'hints' ? { kind } : {}),
      ...(drawn.forgetAfter === null ? {} : { forgetAfter: day(drawn.forgetAfter - 1) }),
    };
    recording.set(key, [...(recording.get(key) ?? []), recorded]);
  }
}

/** A recording for one scenario. */
export async function recordingOf(
  scenario: Scenario,
  reader: MemoryReader,
): Promise<Record<string, Recorded[]>> {
  const recording = new Map<string, Recorded[]>();
  const listening: MemoryReader = {
    ...reader,
    read: async (request, how) => {
      const result = await reader.read(request, how);
      note(request, result, recording);
      return result;
    },
  };
  await play(scenario, listening);
  return Object.fromEntries(recording);
}
