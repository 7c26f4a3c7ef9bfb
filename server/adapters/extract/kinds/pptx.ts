// PPTX: the slides in their order, each with its notes.
import type { Extractor } from '../contract.ts';

export const pptxExtractor: Extractor = {
  documentation: {
    formats: 'PPTX',
    readAs: 'slides in order, with their notes',
    places: '`slide`, `heading`',
  },
  kinds: {
    pptx: {
      label: 'PPTX',
      mimeType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      pace: 'document',
      detect: { archive: ({ names }) => names.some((name) => name.startsWith('ppt/')) },
    },
  },
  read: async (content, sink) => (await import('../office/pptx.ts')).readPptx(content, sink),
};
