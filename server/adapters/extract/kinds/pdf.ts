// PDF: the text of each page; a scanned page is rendered and recognised.
import type { Extractor } from '../contract.ts';

export const pdfExtractor: Extractor = {
  documentation: {
    formats: 'PDF',
    readAs: 'its text; pages without text by OCR',
    places: '`page`, `heading`',
  },
  kinds: {
    pdf: {
      label: 'PDF',
      mimeType: 'application/pdf',
      documentType: 'pdf',
      pace: 'document',
      detect: { firstBytes: (head) => isPdf(head) },
    },
  },
  read: async (content, sink) => (await import('../pdf/read.ts')).readPdf(content, sink),
};

/** Some programs write a line or two before the header. A text about PDF has no objects. */
const isPdf = (head: Buffer): boolean => {
  const at = head.subarray(0, 1_029).indexOf('%PDF-');
  if (at === 0) return true;
  return at > 0 && /^%PDF-\d\.\d/.test(head.toString('latin1', at, at + 8)) && head.includes(' obj', at);
};
