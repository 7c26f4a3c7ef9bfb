// Text as it is stored: one kind of line end, no half characters and no characters without meaning.
import { removeControls } from '../../../lib/text/control-characters.ts';

const MEANINGLESS = /[\ufeff\ufffe\uffff]/g;

export const tidy = (text: string): string => {
  const wellFormed = text.isWellFormed() ? text : text.toWellFormed();
  const lines = wellFormed.includes('\r')
    ? wellFormed.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
    : wellFormed;
  return removeControls(lines).replace(MEANINGLESS, '');
};
