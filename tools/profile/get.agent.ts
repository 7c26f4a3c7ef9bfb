// The tool `profile`: the facts known about a container tag, short enough for the start of a conversation.
import { z } from 'zod';
import { unprocessedNotes, unreadNotes } from '../documents/unprocessed.agent.ts';
import { asManyAsFit, cutForAgent } from '../shared/short-text.agent.ts';
import { otherTagsNotes } from '../tags/other-tags.agent.ts';
import { agentTool } from '../tool.ts';
import type { profileInput, profileOutput } from './schemas/profile.ts';

const LONGEST_LINE = 300;

const output = z.object({
  static: z.array(z.string()),
  dynamic: z.array(z.string()),
  more: z.boolean().optional(),
  notes: z.array(z.string()).optional(),
});
type Result = z.output<typeof output>;

interface Line {
  section: 'static' | 'dynamic';
  line: string;
}

const shortSectionLines = (name: Line['section'], lines: readonly string[] = []): Line[] =>
  lines.map((line) => ({ section: name, line: cutForAgent(line, LONGEST_LINE) }));

/** Alternates the sections, so that both get space in a shortened answer. */
const alternating = (a: readonly Line[], b: readonly Line[]): Line[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, at) => [a[at], b[at]])
    .flat()
    .filter((line) => line !== undefined);

const linesOfSection = (lines: readonly Line[], name: Line['section']): string[] =>
  lines.filter((line) => line.section === name).map(({ line }) => line);

const profileText = ({ static: lasting, dynamic, more, notes = [] }: Result): string =>
  [
    ...(lasting.length + dynamic.length === 0 ? ['Nothing is known yet.'] : []),
    ...lasting.map((line) => `- ${line}`),
    ...dynamic.map((line) => `- ${line}`),
    ...(more === true ? ['More is known: use search.'] : []),
    ...notes,
  ].join('\n');

export const profileTool = agentTool<typeof profileInput, typeof profileOutput>()({
  name: 'profile',
  title: 'Read the profile',
  description:
    'Gives what is known about the user (or whatever the container tag stands for): lasting and recent facts. Call it once at the start of a conversation. For a question use search.',
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  takesTag: true,
  input: z.strictObject({}),
  output,
  async run(_args, call) {
    const [{ profile }, unprocessed, unread] = await Promise.all([
      call.own({ containerTag: call.tag, include: ['static', 'dynamic'] }),
      unprocessedNotes(call),
      unreadNotes(call),
    ]);
    const backlog = [...unprocessed, ...unread];
    const lines = alternating(
      shortSectionLines('static', profile.static),
      shortSectionLines('dynamic', profile.dynamic),
    );
    const notes = lines.length === 0 ? [...backlog, ...(await otherTagsNotes(call))] : backlog;
    const answerWith = (some: readonly Line[]): Result => ({
      static: linesOfSection(some, 'static'),
      dynamic: linesOfSection(some, 'dynamic'),
      ...(some.length < lines.length ? { more: true } : {}),
      ...(notes.length === 0 ? {} : { notes }),
    });
    return asManyAsFit(lines, answerWith, profileText);
  },
  text: profileText,
});
