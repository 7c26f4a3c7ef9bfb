// Shortening a text without breaking a character.

/** At most `limit` UTF-16 units of the text; a character that would be cut in two is left out. */
export const cutText = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  const splitsPair =
    /[\ud800-\udbff]/.test(text.charAt(limit - 1)) && /[\udc00-\udfff]/.test(text.charAt(limit));
  return text.slice(0, splitsPair ? limit - 1 : limit);
};
