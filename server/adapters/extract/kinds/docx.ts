// DOCX to Markdown: headings, lists, tables, notes and comments; deleted text is left out.
import type { Extractor } from '../contract.ts';

export const docxExtractor: Extractor = {
  documentation: {
    formats: 'DOCX',
    readAs: 'text with headings, lists, tables, notes and comments',
    places: '`heading`',
  },
  kinds: {
    docx: {
      label: 'DOCX',
      mimeType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      pace: 'document',
      detect: { archive: ({ names }) => names.some((name) => name.startsWith('word/')) },
    },
  },
  read: async (content, sink) => (await import('../office/docx.ts')).readDocx(content, sink),
};
