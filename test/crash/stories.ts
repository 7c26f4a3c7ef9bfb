// What the clients were told about each document, and what they asked for without hearing whether it was done.

interface Lifeline {
  /** Null: its add was never answered. */
  id: string | null;
  tag: string;
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

export type Story = Note | Talk | File;

export const fresh = (tag: string): Lifeline => ({ id: null, tag, mark: null, asked: null, deletion: 'no' });

export const isLive = (story: Story): boolean => story.deletion !== 'done';

/** The words by which a search has to find it, each exactly once. */
export const tokensOf = (story: Story): string[] => (story.kind === 'talk' ? story.turns : [story.token]);

export const turnText = (token: string): string => `User: I put ${token} on the shelf beside the window.`;

export const talkText = (story: Talk): string => story.turns.map(turnText).join('\n');
