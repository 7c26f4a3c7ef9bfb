// Reads a PPTX: each slide is one part, with its notes.
import type { Extract } from '../contract.ts';
import { failure } from '../failures.ts';
import { type OfficePackage, withPackage } from './package.ts';
import { createParagraphs } from './paragraphs.ts';
import { createProperties } from './properties.ts';
import { prefixedAttribute } from './sax.ts';
import { createSlide, type Slide } from './slide.ts';

const MOST_SLIDES = 5_000;

export const readPptx: Extract = (content, sink) =>
  withPackage(content.file, async (office) => {
    const slides = await readSlideList(office);
    const properties = createProperties();
    await office.parse('docProps/core.xml', properties.handlers);
    const { title, metadata } = properties.facts();
    sink.begin({ form: 'markdown', title, metadata: { ...metadata, slides: slides.length } });
    for (const [i, part] of slides.slice(0, MOST_SLIDES).entries()) {
      const slide = await readSlide(office, part);
      await sink.part(slide.part(i + 1));
      sink.progress(i + 1, slides.length, 'slides');
    }
    if (slides.length > MOST_SLIDES)
      sink.note(`Only the first ${MOST_SLIDES} of ${slides.length} slides were read.`);
  });

const readSlideList = async (office: OfficePackage): Promise<string[]> => {
  const main = await office.main('ppt/presentation.xml');
  const targets = new Map((await office.relationships(main)).map(({ id, target }) => [id, target]));
  const slides: string[] = [];
  const found = await office.parse(main, {
    open(name, attributes) {
      const target = name === 'sldId' ? targets.get(prefixedAttribute(attributes, 'id') ?? '') : undefined;
      if (target !== undefined) slides.push(target);
    },
  });
  if (!found) throw failure('corrupt_file', { cause: new Error('There is no presentation.') });
  return slides;
};

const readSlide = async (office: OfficePackage, part: string): Promise<Slide> => {
  const slide = createSlide();
  const shape = slide.shape;
  const paragraphs = createParagraphs(slide.body, { isTitle: shape.isTitle, isList: shape.isBody });
  await office.parse(part, shape.watch(paragraphs));
  for (const { type, target } of await office.relationships(part)) {
    if (type !== 'notesSlide') continue;
    await office.parse(target, shape.watch(createParagraphs(slide.notes)));
  }
  return slide;
};
