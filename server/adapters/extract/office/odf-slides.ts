// The slides of an OpenDocument presentation, each with its notes.
import type { ContentPart } from '../port.ts';
import { createOdfParagraphs } from './odf-paragraphs.ts';
import { attribute, type XmlHandlers } from './sax.ts';
import { createSlide, type Slide } from './slide.ts';

export function createOdfSlides(emit: (part: ContentPart) => void): XmlHandlers {
  let number = 0;
  let slide: Slide | null = null;
  let body: XmlHandlers = {};
  let notes: XmlHandlers = {};
  let inNotes = 0;
  const current = (): XmlHandlers => (inNotes > 0 ? notes : body);

  const begin = (): void => {
    const begun = createSlide();
    let title = false;
    const paragraphs = createOdfParagraphs({
      ...begun.body,
      paragraph: (text) => (title ? begun.body.heading(1, text) : begun.body.paragraph(text)),
    });
    body = {
      ...paragraphs,
      open(name, attributes) {
        if (name === 'frame' || name === 'custom-shape') title = attribute(attributes, 'class') === 'title';
        paragraphs.open?.(name, attributes);
      },
    };
    notes = createOdfParagraphs(begun.notes);
    slide = begun;
  };

  return {
    open(name, attributes) {
      if (name === 'page') begin();
      else if (name === 'notes') inNotes++;
      else current().open?.(name, attributes);
    },
    text: (text) => current().text?.(text),
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
}
