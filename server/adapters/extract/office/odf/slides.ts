// The slides of an OpenDocument presentation, each with its notes.
import type { ContentPart } from '../../port.ts';
import { attribute, type XmlHandlers } from '../sax.ts';
import { createSlide, type Slide } from '../slide.ts';
import { createOdfParagraphs } from './paragraphs.ts';

const SHAPES = new Set(['frame', 'custom-shape', 'rect']);
/** Shapes that repeat on every slide. */
const REPEATED = new Set(['page-number', 'date-time', 'header', 'footer', 'page']);

export const createOdfSlides = (emit: (part: ContentPart) => void): XmlHandlers => {
  let number = 0;
  let slide: Slide | null = null;
  let body: XmlHandlers = {};
  let notes: XmlHandlers = {};
  let inNotes = 0;
  let shape = '';
  const current = (): XmlHandlers => (inNotes > 0 ? notes : body);

  const begin = (): void => {
    const begun = createSlide();
    body = createOdfParagraphs({
      ...begun.body,
      paragraph: (text) => (shape === 'title' ? begun.body.heading(1, text) : begun.body.paragraph(text)),
    });
    notes = createOdfParagraphs(begun.notes);
    slide = begun;
  };

  return {
    open(name, attributes) {
      if (name === 'page') begin();
      else if (name === 'notes') inNotes++;
      else {
        if (SHAPES.has(name)) shape = attribute(attributes, 'class') ?? '';
        current().open?.(name, attributes);
      }
    },
    text: (text) => (REPEATED.has(shape) ? undefined : current().text?.(text)),
    close(name) {
      if (name === 'page' && slide !== null) {
        emit(slide.part(++number));
        slide = null;
        body = {};
        notes = {};
      } else if (name === 'notes') inNotes--;
      else current().close?.(name);
    },
  };
};
