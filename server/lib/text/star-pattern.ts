// Patterns of people for paths, addresses and titles.

/** `*` stands for any characters. The time grows with the length of the text times that of the pattern, and not faster. */
export const matchesPattern = (pattern: string, text: string): boolean => {
  let [at, from, star, mark] = [0, 0, -1, 0];
  while (from < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      mark = from;
    } else if (pattern[at] === text[from]) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++mark;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
};
