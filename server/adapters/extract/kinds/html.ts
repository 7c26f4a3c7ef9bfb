// HTML to Markdown: the article of a page, or the whole of a fragment.
import type { Extractor } from '../contract.ts';
import { beginsFragment, beginsPage } from '../html/opening-tag.ts';

export const htmlExtractor: Extractor = {
  documentation: {
    formats: 'HTML',
    readAs: 'the main content as Markdown, without menus, scripts and hidden text',
    places: '`heading`',
  },
  kinds: {
    html: {
      label: 'HTML',
      mimeType: 'text/html',
      documentType: 'webpage',
      pace: 'quick',
      isText: true,
      detect: {
        endings: 'htm html xhtml',
        certainText: ({ body }) => beginsPage(body),
        likelyText: ({ body }) => beginsFragment(body),
      },
    },
  },
  read: async (content, sink) => {
    const { readPage } = await import('../html/read.ts');
    const { text, title, metadata } = readPage(content);
    sink.begin({ form: 'markdown', title, metadata });
    await sink.part({ text });
  },
};
