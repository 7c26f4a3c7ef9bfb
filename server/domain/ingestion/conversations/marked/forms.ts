// The forms of conversations with a mark before each message: one row for each form.
import type { Turn, TurnForm } from '../conversation.ts';
import { roleWords } from '../roles.ts';

/**
 * Sources of patterns, searched without regard to case. Each begins with fixed characters or with the start of a line,
 * and every repetition in them is bounded, so that no text can make the search slow.
 */
export interface MarkPatterns {
  /** A character of every mark that opens a message: few texts hold it, and to look for it takes next to no time. */
  readonly holds: '<' | '[';
  /** Opens a message; the groups are `role`, or `kind`, `tool` and `outcome` of a call or result of a tool. */
  readonly opens: string;
  /** Closes a message; the group `end` names its role if the mark does. */
  readonly closes?: string;
  /** A line between messages that carries no text; the groups are `at`, a time, and `session`, proof of a program. */
  readonly frame?: string;
  /** A mark of the same shape with another word, as in a log or a task list. */
  readonly foreign?: string;
}

/**
 * The evidence that a text with these marks is a conversation. marks: no other text has them, and one message is enough.
 * closed: other texts have elements, so every message but the last is closed, and both a user and an assistant speak.
 * roles: other texts have words in brackets, so both a user and an assistant speak, or a program names its session.
 */
export type Proof = 'marks' | 'closed' | 'roles';

export interface MarkedForm extends TurnForm {
  readonly marks: MarkPatterns;
  readonly proof: Proof;
  /** True if a message may name its speaker instead of a role. */
  readonly namesSpeakers: boolean;
}

const WORD = `(?<role>${roleWords.join('|')})`;
const END_WORD = `(?<end>${roleWords.join('|')})`;
const LINE = '^[ \\t]{0,8}';
const REST = '[ \\t]{0,8}$';

/** Messages without a role are written as notes of the system, because nobody said them. */
const roleWord = ({ role }: Turn): string => role ?? 'system';
/** A name is kept as part of the text. */
const namedText = ({ role, speaker, text }: Turn): string =>
  role !== null || speaker === undefined ? text : `${speaker}: ${text}`;

/** "[Session 7]" above the messages, and the end of a text that a program shortened. */
const SESSION = String.raw`${LINE}(?:\[(?<session>(?:Session|Conversation) [^\]\n]{1,200})\]|\.{3}\[truncated\])${REST}`;

const chatml: MarkedForm = {
  name: 'chatml',
  marks: {
    holds: '<',
    opens: String.raw`<\|im_start\|>[ \t]{0,8}(?<role>[^\n<|]{0,60})(?:\n|<\|im_sep\|>)`,
    closes: String.raw`<\|im_end\|>`,
  },
  proof: 'marks',
  namesSpeakers: true,
  write: ({ role, speaker, text }) => `<|im_start|>${speaker ?? role ?? 'system'}\n${text}<|im_end|>`,
};

/** Claude Code and Cursor; also the template of open models, with a channel after the role. */
const startMarks: MarkedForm = {
  name: 'start marks',
  marks: {
    holds: '<',
    opens: String.raw`<\|start\|>(?<role>[^\n<|]{1,80}(?:<\|(?:channel|constrain)\|>[^\n<|]{1,80}){0,2})<\|message\|>`,
    closes: String.raw`<\|(?:end|call|return)\|>`,
    frame: String.raw`${LINE}<\|turn_(?:start\|>[ \t]{0,8}(?<at>[^\n<]{0,60})|end\|>)${REST}`,
  },
  proof: 'marks',
  namesSpeakers: true,
  write: ({ role, speaker, text }) => `<|start|>${speaker ?? role ?? 'system'}<|message|>${text}<|end|>`,
};

/** OpenClaw, and earlier versions for Claude Code. */
const roleBrackets: MarkedForm = {
  name: 'role brackets',
  marks: {
    holds: '[',
    opens: String.raw`\[(?:role: ?${WORD}\]|(?<kind>tool|tool_result|tool_call):(?!end\])(?<tool>[^\]\n"]{1,80}?)(?: status="(?<outcome>\w{1,20})")?\]${REST})`,
    closes: String.raw`\[${END_WORD}:end\]`,
    frame: String.raw`${LINE}\[turn:(?:start(?: timestamp="(?<at>[^"\n]{0,60})")?|end)\]${REST}`,
  },
  proof: 'marks',
  namesSpeakers: false,
  write: (turn) => `[role: ${roleWord(turn)}]\n${namedText(turn)}\n[${roleWord(turn)}:end]`,
};

/** Codex and OpenCode. */
const numberedBrackets: MarkedForm = {
  name: 'numbered brackets',
  marks: {
    holds: '[',
    opens: String.raw`${LINE}\d{1,6}[.)] {1,2}\[${WORD}\]:?(?=[ \t]|$)`,
    frame: SESSION,
    foreign: String.raw`${LINE}\d{1,6}[.)] {1,2}\[[^\]\n]{1,40}\](?=[ \t:]|$)`,
  },
  proof: 'roles',
  namesSpeakers: false,
  write: (turn, number) => `${number}. [${roleWord(turn)}] ${namedText(turn)}`,
};

const brackets: MarkedForm = {
  name: 'brackets',
  marks: {
    holds: '[',
    opens: String.raw`${LINE}\[${WORD}\]:?(?=[ \t]|$)`,
    frame: SESSION,
    foreign: String.raw`${LINE}\[(?!image|file|audio|video|tool|function)[^\]\n]{1,40}\](?=[ \t:]|$)`,
  },
  proof: 'roles',
  namesSpeakers: false,
  write: (turn) => `[${roleWord(turn)}] ${namedText(turn)}`,
};

const elements: MarkedForm = {
  name: 'elements',
  marks: {
    holds: '<',
    opens: `<${WORD}>`,
    closes: `</${END_WORD}>`,
    frame: `${LINE}</?(?:conversation|chat|dialogue|dialog|history|messages|session|transcript)>${REST}`,
  },
  proof: 'closed',
  namesSpeakers: false,
  write: (turn) => `<${roleWord(turn)}>${namedText(turn)}</${roleWord(turn)}>`,
};

export const MARKED_FORMS: readonly MarkedForm[] = [
  chatml,
  startMarks,
  roleBrackets,
  numberedBrackets,
  brackets,
  elements,
];
