// The title of a source beside its text.

/** Undefined where it would repeat the text: the title of a short note is its first sentence. */
export const titleBeside = (title: string | undefined, text: string): string | undefined =>
  title === undefined || title === '' || text.includes(title.replace(/…$/, '')) ? undefined : title;
