// Pictures: the text on them, by OCR.
import type { Extractor } from '../contract.ts';

export const imageExtractor: Extractor = {
  documentation: {
    formats: 'JPG, PNG, GIF, WebP',
    readAs: 'OCR, turned the right way up; only the first frame of an animation',
    places: '',
  },
  kinds: {
    image: {
      label: 'a picture',
      mimeType: 'image/png',
      documentType: 'image',
      pace: 'document',
      detect: { signature: /^image\/(?:png|apng|jpeg|gif|webp)$/ },
    },
  },
  read: async (content, sink) => (await import('../ocr/read-picture.ts')).readPicture(content, sink),
};
