// The outline of a PDF: the chapter of each page.
import type { PdfDocument } from './document.ts';
import { readEngineText } from './pdfium.ts';

/** The headings above a page, outermost first; undefined before the first chapter. */
export type HeadingOf = (page: number) => string | undefined;

interface Chapter {
  readonly page: number;
  readonly path: string;
}

const MOST_CHAPTERS = 20_000;
const DEEPEST = 6;
const MOST_TITLE_BYTES = 400;

export const readOutline = (document: PdfDocument): HeadingOf => {
  const chapters = readChapters(document).sort((a, b) => a.page - b.page);
  let at = 0;
  let last = -1;
  return (page) => {
    if (page < last) at = 0;
    last = page;
    while ((chapters[at]?.page ?? Number.POSITIVE_INFINITY) <= page) at++;
    return chapters[at - 1]?.path;
  };
};

const readChapters = (document: PdfDocument): Chapter[] => {
  const { engine, handle } = document;
  const found: Chapter[] = [];
  // A damaged outline may contain itself.
  const seen = new Set<number>();

  const visit = (parent: number, path: readonly string[]): void => {
    let bookmark = engine._FPDFBookmark_GetFirstChild(handle, parent);
    while (bookmark !== 0 && !seen.has(bookmark) && seen.size < MOST_CHAPTERS) {
      seen.add(bookmark);
      const current = bookmark;
      const title = readEngineText(engine, MOST_TITLE_BYTES, (buffer, size) =>
        engine._FPDFBookmark_GetTitle(current, buffer, size),
      );
      const below = [...path, title.replace(/\s+/g, ' ').trim()].filter((one) => one !== '');
      const page = bookmarkPage(document, current);
      if (page >= 0 && below.length > 0) found.push({ page: page + 1, path: below.join(' > ') });
      if (path.length < DEEPEST) visit(current, below);
      bookmark = engine._FPDFBookmark_GetNextSibling(handle, current);
    }
  };

  visit(0, []);
  return found;
};

/** From 0; negative where the bookmark names no page. */
const bookmarkPage = ({ engine, handle }: PdfDocument, bookmark: number): number => {
  const direct = engine._FPDFBookmark_GetDest(handle, bookmark);
  if (direct !== 0) return engine._FPDFDest_GetDestPageIndex(handle, direct);
  const action = engine._FPDFBookmark_GetAction(bookmark);
  const destination = action === 0 ? 0 : engine._FPDFAction_GetDest(handle, action);
  return destination === 0 ? -1 : engine._FPDFDest_GetDestPageIndex(handle, destination);
};
