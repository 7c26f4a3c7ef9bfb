// All matches of a pattern in a text.

/** As `matchAll`, which copies the pattern for each text. `pattern`: with the flag g. */
export const matchesIn = (text: string, pattern: RegExp): RegExpExecArray[] => {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push(match);
    if (match[0] === '') pattern.lastIndex++;
  }
  return found;
};
