// What the clients were told about each document, and what they asked for without hearing whether it was done.

interface Lifeline {
  /** Null: its add was never answered. */
  id: string | null;
  tags: readonly string[];
  /** The last value of its metadata that was acknowledged, and one that may have been stored since. */
  mark: number | null;
  asked: number | null;
  /** `asked`: the answer was cut off. */
  deletion: 'no' | 'asked' | 'done';
}

/** Sent once, under no customId. */
export interface Note extends Lifeline {
  kind: 'note';
  token: string;
}

/** Sent once; states a fact that others may state too, or change, and one of its own. */
export interface Telling extends Lifeline {
  kind: 'telling';
  token: string;
  fact: string;
  /** A taste is one of many; there is one home at a time. */
  says: 'taste' | 'home';
}

/** Grows turn by turn under one customId. */
export interface Talk extends Lifeline {
  kind: 'talk';
  customId: string;
  /** The words of which each turn has one that occurs nowhere else. */
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

/** Sent as a file, and replaced by another one, under one customId. */
export interface Upload extends Lifeline {
  kind: 'upload';
  customId: string;
  held: Version;
  /** A newer file that was sent and not answered. */
  unsure: Version | null;
}

export type Story = Note | Telling | Talk | File | Upload;

/** A container tag that is one client's alone, to be merged into another or deleted with everything in it. */
export interface Place {
  tag: string;
  /** What was asked without hearing whether it was done: for good, or into another place. */
  asked: { to: 'delete' } | { to: 'merge'; into: Place } | null;
  /** The merge that has it in hand, as source or as target. */
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

/** The words by which a search has to find it, each exactly once. */
export const tokensOf = (story: Story): string[] => {
  if (story.kind === 'talk') return story.turns;
  return [story.kind === 'upload' ? story.held.token : story.token];
};

export const turnText = (token: string): string => `User: I put ${token} on the shelf beside the window.`;

export const talkText = (story: Talk): string => story.turns.map(turnText).join('\n');

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

export const tellingText = ({ says, fact, token }: Telling): string =>
  `User: ${says === 'home' ? `I moved to ${capital(fact)}` : `I like ${fact}`}. I put ${token} on the shelf.`;

/** All its words that are ours. */
export const wordsOf = (story: Story): string[] =>
  story.kind === 'telling' ? [story.token, story.fact] : tokensOf(story);

/** Every word of ours in a text. */
export const wordsIn = (text: string): string[] => text.toLowerCase().match(/zqc\d+x\d+z/g) ?? [];
