// OpenDocument: texts to Markdown, presentations slide by slide, spreadsheets row by row; as an archive or as one flat XML file.
import type { Archive } from '../containers/zip.ts';
import type { Extractor, KindDeclaration, TextStart } from '../contract.ts';

const LONGEST_MIME_TYPE = 200;
const FLAT =
  /<office:document\s[^>]{0,8000}office:mimetype="application\/vnd\.oasis\.opendocument\.(text|presentation|spreadsheet)"/;

/** `name`: the word for the kind in its media type. */
const odfKind = (label: string, name: string): KindDeclaration => ({
  label,
  mimeType: `application/vnd.oasis.opendocument.${name}`,
  pace: 'document',
  detect: {
    archive: async (archive, mimeType) => (await odfType(archive, mimeType)).includes(`opendocument.${name}`),
    certainText: ({ body }: TextStart) => FLAT.exec(body)?.[1] === name,
  },
});

export const odfExtractor: Extractor = {
  documentation: {
    formats: 'ODT, ODP, ODS',
    readAs: 'a text like DOCX, a presentation like PPTX, a spreadsheet like XLSX',
    places: '`heading`; `slide`; `sheet`, `row`, `lastRow`',
  },
  kinds: {
    odt: odfKind('ODT', 'text'),
    odp: odfKind('ODP', 'presentation'),
    ods: odfKind('ODS', 'spreadsheet'),
  },
  read: async (content, sink) => (await import('../office/odf/read.ts')).readOdf(content, sink),
};
const odfType = async (archive: Archive, mimeType: string): Promise<string> => {
  if (!archive.has('content.xml')) return '';
  return archive.has('mimetype') ? await archive.start('mimetype', LONGEST_MIME_TYPE) : mimeType;
};
