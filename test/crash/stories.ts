// The answers that the clients got about each document, and the requests without an answer.

interface Lifeline {
  /** Null if its add was never answered. */
  id: string | null;
  tags: readonly string[];
  /** The last acknowledged value of its metadata, and a later one that may have been stored. */
  mark: number | null;
  asked: number | null;
  /** `asked`: the request got no answer. */
  deletion: 'no' | 'asked' | 'done';
}

/** Sent once, without a customId. */
export interface Note extends Lifeline {
  kind: 'note';
  token: string;
}

/** The address of a page that cannot be fetched: it fails whenever it is processed. */
export interface Unreadable extends Lifeline {
  kind: 'unreadable';
  token: string;
}

/** Sent once; states a fact that others may state, change or take back, and one of its own. */
export interface Telling extends Lifeline {
  kind: 'telling';
  token: string;
  fact: string;
  /** There are many likings at a time, and one home; a slip is taken back. */
  says: 'taste' | 'home' | 'slip';
  /** True: the memory of the fact was forgotten; `asked`: the request got no answer. */
  forgotten: 'no' | 'asked' | 'done';
}

/** Grows turn by turn under one customId. */
export interface Talk extends Lifeline {
  kind: 'talk';
  customId: string;
  /** The unique words, one for each turn. */
  turns: string[];
  /** The last turn was sent and not answered. */
  unsure: boolean;
}

/** Replaced as a whole under one customId. */
export interface File extends Lifeline {
  kind: 'file';
  customId: string;
  token: string;
  /** A newer content that was sent and not answered. */
  unsure: string | null;
}

interface Version {
  token: string;
  sha256: string;
}

/** Sent as a file, and replaced by another file, under one customId. */
export interface Upload extends Lifeline {
  kind: 'upload';
  customId: string;
  held: Version;
  /** A newer file that was sent and not answered. */
  unsure: Version | null;
}

export type Story = Note | Unreadable | Telling | Talk | File | Upload;

/** A container tag of one client alone, to be merged into another or deleted with everything in it. */
export interface Place {
  tag: string;
  /** The requests without an answer: a deletion, or a merge into another tag. */
  asked: { to: 'delete' } | { to: 'merge'; into: Place } | null;
  /** The merge in progress, with this tag as source or as target. */
  merging: string | null;
  gone: boolean;
}

export const fresh = (...tags: string[]): Lifeline => ({
  id: null,
  tags,
  mark: null,
  asked: null,
  deletion: 'no',
});

export const isLive = (story: Story): boolean => story.deletion !== 'done';

export const isForgotten = (story: Story): boolean => story.kind === 'telling' && story.forgotten === 'done';

/** The words by which a search must find it, each exactly once. */
export const tokensOf = (story: Story): string[] => {
  if (story.kind === 'talk') return story.turns;
  return [story.kind === 'upload' ? story.held.token : story.token];
};

export const unreadableText = ({ token }: Unreadable): string => `https://pages.internal/${token}`;

export const turnText = (token: string): string => `User: I put ${token} on the shelf beside the window.`;

export const talkText = (story: Talk): string => story.turns.map(turnText).join('\n');

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

export const tellingText = ({ says, fact, token }: Telling): string =>
  `User: ${says === 'home' ? `I moved to ${capital(fact)}` : `I like ${fact}`}. I put ${token} on the shelf.`;

/** All its unique words. */
export const wordsOf = (story: Story): string[] =>
  story.kind === 'telling' ? [story.token, story.fact] : tokensOf(story);

/** Every unique word in a text. */
export const wordsIn = (text: string): string[] => text.toLowerCase().match(/zqc\d+x\d+z/g) ?? [];
