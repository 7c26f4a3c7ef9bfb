// A chat completions server on loopback that replays recorded answers, and misbehaves on request.
import {
  type AskedOf,
  answer,
  type BehavingServer,
  type BehaviourOf,
  startBehavingServer,
} from '../../support/models/servers/behaving-server.ts';

export type Asked = AskedOf<{
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly response_format?: { readonly type: string };
}>;

export type Behaviour = BehaviourOf<Asked['body']>;

export interface ChatServer extends Omit<BehavingServer<Asked['body']>, 'origin'> {
  readonly baseUrl: string;
}

export interface Said {
  readonly content: string | null;
  readonly refusal?: string;
  readonly finish?: string;
}

/** One completion, as the protocol has it. Every word costs a token, so that sums can be checked. */
export const says =
  ({ content, refusal, finish = 'stop' }: Said): Behaviour =>
  (response, { body }) =>
    answer(response, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model: body.model,
      choices: [
        {
          index: 0,
          finish_reason: finish,
          message: { role: 'assistant', content, ...(refusal ? { refusal } : {}) },
        },
      ],
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    });

export const memories = (...items: readonly object[]): Behaviour =>
  says({ content: JSON.stringify({ memories: items }) });

// --- replaying -------------------------------------------------------------------------------------

/** A recorded memory; `of` names known ones by their words, since their numbers differ from time to time. */
export interface Recorded {
  readonly memory: string;
  readonly kind?: 'same' | 'updates' | 'extends';
  readonly of?: readonly string[];
  readonly static?: boolean;
  readonly dates?: readonly string[];
  readonly forgetAfter?: string;
}

/** The recorded answer to a line of the material, by the line in the request. */
export type Recording = Readonly<Record<string, readonly Recorded[]>>;

export interface AskedLines {
  readonly dated: string;
  readonly known: readonly string[];
  readonly fresh: readonly string[];
}

const sectionOf = (content: string, title: string): string =>
  new RegExp(`(?:^|\\n)${title}\\n([\\s\\S]*?)(?=\\n\\n(?:KNOWN|CONTEXT|NEW)\\n|$)`).exec(content)?.[1] ?? '';

/** The lines of a question, without their numbers. */
export function linesOf(asked: Asked): AskedLines {
  const content = asked.body.messages.find(({ role }) => role === 'user')?.content ?? '';
  return {
    dated: /It is dated ([^.]+)\./.exec(content)?.[1] ?? '',
    known: sectionOf(content, 'KNOWN')
      .split('\n')
      .filter((line) => /^\d+\. /.test(line))
      .map((line) =>
        line.replace(/^\d+\. /, '').replace(/ \((?:static)?(?:, )?[^()]*\d{4}\)$| \(static\)$/, ''),
      ),
    fresh: sectionOf(content, 'NEW')
      .split(/\n(?=\[\d+\] )/)
      .map((line) => line.replace(/^\[\d+\] /, '')),
  };
}

const asAnswered = (recorded: Recorded, from: number, known: readonly string[]): object => ({
  memory: recorded.memory,
  kind: recorded.kind ?? 'new',
  of: (recorded.of ?? []).flatMap((text) => {
    const at = known.lastIndexOf(text);
    return at < 0 ? [] : [at + 1];
  }),
  static: recorded.static ?? false,
  inferred: false,
  dates: recorded.dates ?? [],
  forgetAfter: recorded.forgetAfter ?? null,
  from: [from],
});

/** Answers each question from a recording; what was not recorded holds nothing to remember. */
export const replaying =
  (recording: Recording): Behaviour =>
  (response, asked) => {
    const { known, fresh, dated } = linesOf(asked);
    const numbered = [...known];
    const items = fresh.flatMap((line, at) =>
      (recording[`${dated}|${line}`] ?? recording[line] ?? []).map((one) => {
        const answered = asAnswered(one, at + 1, numbered);
        numbered.push(one.memory);
        return answered;
      }),
    );
    return memories(...items)(response, asked);
  };

export const startChatServer = async (always: Behaviour): Promise<ChatServer> => {
  const { origin, ...server } = await startBehavingServer(always);
  return { ...server, baseUrl: `${origin}/v1` };
};
