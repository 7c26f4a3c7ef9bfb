// Text for terminals: without control characters, dates.

/** Stored text is foreign: its control characters must not reach the terminal. */
export const withoutControls = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, ' ');

/** The day of an ISO time; `never` without one. */
export const dayOrNever = (time: string | null): string => time?.slice(0, 10) ?? 'never';
