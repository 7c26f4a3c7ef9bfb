// Which thread a document is a message of, as its sender names it. Some send every message as a document of its own:
// what was said before and after it then stands in other documents.
import { sha256 } from './hash.ts';

export interface ThreadName {
  /** Equal for the messages of one thread; means something among documents of the same tags alone. */
  key: string;
  /** Which message it is, where its customId counts them. */
  number: number | null;
}

type Metadata = Readonly<Record<string, string | number | boolean>>;

const METADATA_KEYS = ['threadId', 'thread_id', 'conversationId', 'conversation_id'] as const;

/** "thread_7_msg_3", "conv1-message-2", "7f3e/turn/12", "msg 4": the end says that a message is counted. */
const COUNTED = /^(.*?)(?:^|[:/#._\s-])(?:msg|message|turn|reply)[:/#._\s-]?(\d{1,15})$/is;
/** "thread-7:1", "chat/ab/2": a number behind a mark that parts a whole from its pieces. */
const PARTED = /^(.+)([:/#])(\d{1,15}(?:\.\d{1,9})?)$/s;
/** "thread_7_3": a number behind a mark that joins words, where the beginning leaves no doubt. */
const JOINED = /^((?:thread|conversation|conv)[_.-].*[^_.-])[_.-](\d{1,15})$/is;

/** The beginning names a thread and not only the word for one: "chat:2" is the second chat. */
const NAMES_THREAD =
  /(?<![a-z])(?:thread|conversation|conv|chat|dialog|dialogue|session|channel|room|ticket|dm)s?(?![a-z]).*[a-z\d]/is;
/** "support-42:1" counts within something that is counted itself; an address with a port does not. */
const NAMES_ONE = /^(?!.*:\/\/).*\d/s;
/** A day or a moment is no number of a message. */
const ENDS_IN_TIME = /\d{4}-\d{1,2}-\d{1,2}(?:[T\s_-]?\d{1,2}(?::\d{2}){0,2})?$/;

interface Counted {
  /** Empty: the number alone is told. */
  thread: string;
  number: number;
}

function countedIn(customId: string): Counted | null {
  if (ENDS_IN_TIME.test(customId)) return null;
  const counted = COUNTED.exec(customId);
  if (counted) return { thread: counted[1] ?? '', number: Number(counted[2]) };
  const parted = PARTED.exec(customId);
  const [, whole = '', mark = '', piece] = parted ?? [];
  if (parted && (NAMES_THREAD.test(whole) || (mark === ':' && NAMES_ONE.test(whole))))
    return { thread: whole, number: Number(piece) };
  const joined = JOINED.exec(customId);
  return joined ? { thread: joined[1] ?? '', number: Number(joined[2]) } : null;
}

function namedIn(metadata: Metadata): string | null {
  for (const key of METADATA_KEYS) {
    const value = metadata[key];
    if (typeof value === 'boolean' || value === undefined) continue;
    const name = String(value).trim();
    if (name !== '') return name;
  }
  return null;
}

const LONGEST_NAME = 200;
const keyOf = (kind: 'named' | 'counted', name: string): string =>
  `${kind} ${name.length > LONGEST_NAME ? sha256(name) : name}`;

/** The metadata decide; without any, a customId that counts messages does. Null: it is in no thread. */
export function threadOf(customId: string | null, metadata: Metadata | null): ThreadName | null {
  const counted = customId === null ? null : countedIn(customId);
  const named = metadata === null ? null : namedIn(metadata);
  if (named !== null) return { key: keyOf('named', named), number: counted?.number ?? null };
  if (counted === null || counted.thread === '') return null;
  return { key: keyOf('counted', counted.thread), number: counted.number };
}
