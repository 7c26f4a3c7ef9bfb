// A parsed conversation, independent of its format.

export type Role = 'user' | 'assistant' | 'system' | 'tool';

export interface Turn {
  /** Null if the text names no role: a named person, or text outside all messages. */
  readonly role: Role | null;
  /** A name; never only a role word. */
  readonly speaker?: string;
  readonly text: string;
  /** The time of the message, in milliseconds. */
  readonly at?: number;
}

/** A text with more turns is read as a document: a hostile text could otherwise turn into millions of passages. */
export const MOST_TURNS = 200_000;

export type ConversationFormat = 'json' | 'lines' | 'inline' | 'marked' | 'captions';

/** The position of the one list of messages in the text, so that another message can be spliced into it. */
export interface JsonList {
  readonly start: number;
  readonly end: number;
  /** The member that holds the messages; absent when the value is the list itself. */
  readonly key?: string;
  /** The value is a string that holds JSON. */
  readonly quoted: boolean;
}

/** A form with marks around each message. */
export interface TurnForm {
  readonly name: string;
  /** Writes a turn in this form; `number` counts from 1. */
  readonly write: (turn: Turn, number: number) => string;
}

export interface Conversation {
  readonly format: ConversationFormat;
  /** The form of messages that have marks around them. */
  readonly form?: TurnForm;
  /** The text that was read, with one kind of line end. */
  readonly source: string;
  readonly turns: readonly Turn[];
  /** The start of each turn in `source`; with a `list`, the number of its element; -1: not known. */
  readonly starts: readonly number[];
  readonly title?: string;
  readonly list?: JsonList;
}

/** Words outside all messages: a heading, a date, a note. */
export const isOutsideMessages = (turn: Turn): boolean => turn.role === null && turn.speaker === undefined;
