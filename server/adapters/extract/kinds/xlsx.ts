// XLSX: the stored rows of each sheet, whatever range the sheet declares.
import type { Extractor } from '../contract.ts';

export const xlsxExtractor: Extractor = {
  documentation: {
    formats: 'XLSX',
    readAs: 'rows as `header: value`, sheet by sheet',
    places: '`sheet`, `row`, and `lastRow` where a passage has several',
  },
  kinds: {
    xlsx: {
      label: 'XLSX',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      pace: 'document',
      detect: { archive: ({ names }) => names.some((name) => name.startsWith('xl/')) },
    },
  },
  read: async (content, sink) => (await import('../office/xlsx.ts')).readXlsx(content, sink),
};
