// Separator lines between messages, such as "---", which programs insert.

const LONGEST = 100;
const JOIN = /^[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*$/;

export const isJoinLine = (line: string): boolean => line.length <= LONGEST && JOIN.test(line);

/** Removes a separator line at the end; a text that is only a separator line is unchanged. */
export const withoutJoinLine = (text: string): string => {
  const feed = text.lastIndexOf('\n');
  return feed >= 0 && isJoinLine(text.slice(feed + 1)) ? text.slice(0, feed).trimEnd() : text;
};
