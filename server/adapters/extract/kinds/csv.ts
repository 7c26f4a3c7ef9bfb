// CSV and TSV: row by row, with any delimiter, even when cells are quoted badly.
import type { Extractor } from '../contract.ts';

export const csvExtractor: Extractor = {
  documentation: {
    formats: 'CSV, TSV',
    readAs: 'rows as `header: value`',
    places: '`row`, and `lastRow` where a passage has several',
  },
  kinds: {
    csv: {
      label: 'CSV',
      mimeType: 'text/csv',
      pace: 'document',
      isText: true,
      detect: { endings: 'csv', declaredTypes: ['text/csv', 'application/csv'] },
    },
    tsv: {
      label: 'TSV',
      mimeType: 'text/tab-separated-values',
      pace: 'document',
      isText: true,
      detect: { endings: 'tsv tab', declaredTypes: ['text/tab-separated-values'] },
    },
  },
  read: async (content, sink) => (await import('../tables/csv.ts')).readCsv(content, sink),
};
