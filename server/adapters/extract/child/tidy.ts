// Text as it is kept: one kind of line end, no characters that are half or mean nothing.

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const MEANINGLESS = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f\ufeff\ufffe\uffff]/g;

export function tidy(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  const lines = whole.includes('\r') ? whole.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : whole;
  return lines.replace(MEANINGLESS, '');
}
