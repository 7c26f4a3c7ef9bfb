// Removes the characters that no text shows: NUL and the other control characters.

/** Tabs and line ends are kept. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are removed.
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const ALL_CONTROLS = new RegExp(CONTROLS, 'g');

/** A vertical tab, a form feed and NEL end a line; without a line end the words around them would become one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are replaced.
const LINE_ENDS = /[\u000b\u000c\u0085]/g;

export const removeControls = (text: string): string =>
  CONTROLS.test(text) ? text.replace(LINE_ENDS, '\n').replace(ALL_CONTROLS, '') : text;
