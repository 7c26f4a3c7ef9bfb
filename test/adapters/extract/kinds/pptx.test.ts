import { describe, expect, it } from 'vitest';
import { describeKind } from '../fixtures/contract.ts';
import { readBytes } from '../fixtures/in-process.ts';
import { line, pptx, shape } from '../fixtures/office.ts';

describeKind('pptx', { sample: 'office/slides.pptx', type: 'text', mimeType: /presentationml/ });

const slides = [
  {
    shapes: shape('title', line('Second')) + shape('body', line('a') + line('b', '<a:pPr lvl="1"/>')),
    notes: shape('sldNum', line('2')) + shape('body', line('Say hello.')),
  },
  {
    shapes: shape('ctrTitle', line('First')) + shape('', line('A box of text.')) + shape('sldNum', line('1')),
  },
  {
    shapes:
      '<p:graphicFrame><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>Q</a:t></a:r></a:p></a:txBody></a:tc></a:tr><a:tr><a:tc><a:txBody><a:p><a:r><a:t>1</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>',
  },
];

describe('a PPTX', () => {
  it('returns its slides in the order of the presentation, each with its title and its notes', async () => {
    const { head, parts, progress } = await readBytes(pptx(slides, [2, 1, 3]));
    expect(head).toMatchObject({ kind: 'pptx', form: 'markdown', metadata: { slides: 3 } });
    expect(parts).toEqual([
      { slide: 1, heading: 'First', text: '## First\n\nA box of text.' },
      { slide: 2, heading: 'Second', text: '## Second\n\n- a\n  - b\n\nNotes: Say hello.' },
      { slide: 3, text: '\n| Q |\n| --- |\n| 1 |\n\n' },
    ]);
    expect(progress.at(-1)).toEqual({ done: 3, total: 3, unit: 'slides' });
  });
});
