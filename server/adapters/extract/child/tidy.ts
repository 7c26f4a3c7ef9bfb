// Text as it is stored: one kind of line end, no half characters and no characters without meaning.

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are removed.
const MEANINGLESS = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f\ufeff\ufffe\uffff]/g;

export const tidy = (text: string): string => {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  const lines = wellFormed.includes('\r')
    ? wellFormed.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
    : wellFormed;
  return lines.replace(MEANINGLESS, '');
};
