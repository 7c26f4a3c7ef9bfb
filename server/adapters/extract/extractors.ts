// Which extractor reads which kind of content. Each is loaded in the child process, on first use.
import type { Extract } from './kinds/contract.ts';
import type { ContentKind } from './port.ts';

const text = async (): Promise<Extract> => (await import('./kinds/text.ts')).extractText;
const csv = async (): Promise<Extract> => (await import('./kinds/csv.ts')).extractCsv;
const odf = async (): Promise<Extract> => (await import('./kinds/odf.ts')).extractOdf;
const media = async (): Promise<Extract> => (await import('./kinds/media.ts')).extractMedia;

export const extractors: Readonly<Record<ContentKind, () => Promise<Extract>>> = {
  text,
  markdown: text,
  code: text,
  json: text,
  html: async () => (await import('./kinds/html.ts')).extractHtml,
  subtitles: async () => (await import('./kinds/subtitles.ts')).extractSubtitles,
  csv,
  tsv: csv,
  pdf: async () => (await import('./kinds/pdf.ts')).extractPdf,
  doc: async () => (await import('./kinds/doc.ts')).extractDoc,
  docx: async () => (await import('./kinds/docx.ts')).extractDocx,
  pptx: async () => (await import('./kinds/pptx.ts')).extractPptx,
  xlsx: async () => (await import('./kinds/xlsx.ts')).extractXlsx,
  odt: odf,
  odp: odf,
  ods: odf,
  image: async () => (await import('./kinds/image.ts')).extractImage,
  audio: media,
  video: media,
};
