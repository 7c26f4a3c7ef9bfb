// Texts of HTML: every inserted value is escaped, unless it is HTML already.

/** Text that is already HTML. */
export interface Html {
  readonly html: string;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);

type Part = string | number | Html | readonly Html[];

const isHtmlPart = (part: Part): part is Html => typeof part === 'object' && 'html' in part;

const htmlText = (part: Part): string => {
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return isHtmlPart(part) ? part.html : part.map((one) => one.html).join('');
};

/** Escapes every inserted value, unless it is already HTML. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html => ({
  html: texts.map((text, at) => text + (at < parts.length ? htmlText(parts[at] ?? '') : '')).join(''),
});
