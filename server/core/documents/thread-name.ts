// The thread of a document, as its sender names it. Some callers send every message as its own document:
// the messages before and after it are then in other documents.
import { hash } from 'node:crypto';

export interface ThreadName {
  /** Equal for the messages of one thread; comparable only among documents of the same tags. */
  key: string;
  /** The number of the message, where its customId counts them. */
  number: number | null;
}

type Metadata = Readonly<Record<string, string | number | boolean>>;

const METADATA_KEYS = ['threadId', 'thread_id', 'conversationId', 'conversation_id'] as const;

/** "thread_7_msg_3", "conv1-message-2", "7f3e/turn/12", "msg 4": the last word shows that messages are counted. */
const COUNTED = /^(.*?)(?:^|[:/#._\s-])(?:msg|message|turn|reply)[:/#._\s-]?(\d{1,15})$/is;
/** "thread-7:1", "chat/ab/2": a number after a mark that separates a group from its members. */
const PARTED = /^(.+)([:/#])(\d{1,15}(?:\.\d{1,9})?)$/s;
/** "thread_7_3": a number after a mark that joins words, if the beginning clearly names a thread. */
const JOINED = /^((?:thread|conversation|conv)[_.-].*[^_.-])[_.-](\d{1,15})$/is;

/** The beginning names a thread and not only the word for one: "chat:2" is the second chat. */
const NAMES_THREAD =
  /(?<![a-z])(?:thread|conversation|conv|chat|dialog|dialogue|session|channel|room|ticket|dm)s?(?![a-z]).*[a-z\d]/is;
/** "support-42:1" counts within something that is counted itself; the port of an address does not count anything. */
const NAMES_ONE = /^(?!.*:\/\/).*\d/s;
/** A date or a time is not the number of a message. */
const ENDS_IN_TIME = /\d{4}-\d{1,2}-\d{1,2}(?:[T\s_-]?\d{1,2}(?::\d{2}){0,2})?$/;

interface Counted {
  /** Empty: the customId has only the number. */
  thread: string;
  number: number;
}

const countedIn = (customId: string): Counted | null => {
  if (ENDS_IN_TIME.test(customId)) return null;
  const counted = COUNTED.exec(customId);
  if (counted) return { thread: counted[1] ?? '', number: Number(counted[2]) };
  const parted = PARTED.exec(customId);
  const [, whole = '', mark = '', piece] = parted ?? [];
  if (parted && (NAMES_THREAD.test(whole) || (mark === ':' && NAMES_ONE.test(whole))))
    return { thread: whole, number: Number(piece) };
  const joined = JOINED.exec(customId);
  return joined ? { thread: joined[1] ?? '', number: Number(joined[2]) } : null;
};

const threadNamedIn = (metadata: Metadata): string | null => {
  for (const key of METADATA_KEYS) {
    const value = metadata[key];
    if (typeof value === 'boolean' || value === undefined) continue;
    const name = String(value).trim();
    if (name !== '') return name;
  }
  return null;
};

const LONGEST_NAME = 200;
const threadKey = (kind: 'named' | 'counted', name: string): string =>
  `${kind} ${name.length > LONGEST_NAME ? hash('sha256', name) : name}`;

/** Metadata decide; without metadata, a customId that counts messages does. Null: the document is in no thread. */
export const threadOf = (customId: string | null, metadata: Metadata | null): ThreadName | null => {
  const counted = customId === null ? null : countedIn(customId);
  const named = metadata === null ? null : threadNamedIn(metadata);
  if (named !== null) return { key: threadKey('named', named), number: counted?.number ?? null };
  if (counted === null || counted.thread === '') return null;
  return { key: threadKey('counted', counted.thread), number: counted.number };
};
