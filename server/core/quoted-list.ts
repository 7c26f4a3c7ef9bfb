// Lists of names inside sentences.

/** `"a", "b" and 3 more`: each text in quotes, at most `most` of them. */
export const quotedList = (texts: readonly string[], most = 50): string => {
  const shown = texts.slice(0, most).map((text) => JSON.stringify(text));
  return texts.length > most ? `${shown.join(', ')} and ${texts.length - most} more` : shown.join(', ');
};
