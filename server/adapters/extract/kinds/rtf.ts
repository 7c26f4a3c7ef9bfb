// RTF to Markdown: headings, lists, tables and notes.
import type { Extractor } from '../contract.ts';

export const rtfExtractor: Extractor = {
  documentation: {
    formats: 'RTF',
    readAs: 'text with headings, lists, tables and notes',
    places: '`heading`',
  },
  kinds: {
    rtf: {
      label: 'RTF',
      mimeType: 'application/rtf',
      pace: 'document',
      detect: {
        firstBytes: (head) => /^(?:\xef\xbb\xbf)?\s{0,32}\{\\rtf/.test(head.toString('latin1', 0, 64)),
      },
    },
  },
  read: async (content, sink) => (await import('../office/rtf.ts')).readRtf(content, sink),
};
