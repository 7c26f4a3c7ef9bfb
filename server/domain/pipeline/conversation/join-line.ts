// Lines that only stand between messages: "---", as programs join them.

const LONGEST = 100;
const JOIN = /^[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$/;

export const isJoinLine = (line: string): boolean => line.length <= LONGEST && JOIN.test(line);

/** What is said before such a line at its end; a text that is nothing else is what it is. */
export function withoutJoinLine(text: string): string {
  const feed = text.lastIndexOf('\n');
  return feed >= 0 && isJoinLine(text.slice(feed + 1)) ? text.slice(0, feed).trimEnd() : text;
}
