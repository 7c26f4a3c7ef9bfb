// Tests of the titles and summaries that are drawn without a model.
import { describe, expect, it, test } from 'vitest';
import { drawOutline } from '../../../../server/lib/text/outline/draw-outline.ts';
import { held } from '../../../fixtures/outlines/held.ts';
import { outlineOfFile, outlineOfSample, outlineOfText } from '../../../fixtures/outlines/outlined.ts';
import { seen } from '../../../fixtures/outlines/seen.ts';
import { cpuMs } from '../fixtures/cost.ts';

describe('the outline of a text', () => {
  test.each([...seen, ...held].map((sample) => [sample.name, sample] as const))(
    'is as expected for %s',
    (_name, sample) => {
      const { title, summary } = outlineOfSample(sample);
      expect(title).toBe(sample.title);
      for (const words of sample.holds ?? []) expect(summary).toContain(words);
      for (const words of sample.lacks ?? []) expect(`${title}\n${summary}`).not.toContain(words);
    },
  );

  test.each(['', ' \n\t ', '\u200b'])('is empty where there is nothing to be seen: %j', (content) => {
    expect(outlineOfText(content).summary ?? '').toBe(content.trim());
  });

  it('is one line of whole characters within its limits, whatever the text', () => {
    const texts = ['😀', 'x', 'word ', '猫', 'が', '- ', '# ', '"a":', '\n\n\n', '. ', '؟', 'e\u0301', 'ครับ'];
    for (const piece of texts) {
      const { title, summary } = outlineOfText(piece.repeat(2_000));
      expect(title?.length ?? 0, piece).toBeLessThanOrEqual(80);
      expect(summary?.length ?? 0, piece).toBeLessThanOrEqual(300);
      expect(`${title}${summary}`, piece).not.toMatch(/[\n\r\t]/);
      expect(`${title}${summary}`.isWellFormed(), piece).toBe(true);
    }
  });

  it('never ends in the middle of a word', () => {
    const long =
      'The museum and the harbour authority agreed on extraordinarily complicated arrangements for it';
    const { title } = outlineOfText(`${long}.`);
    const shown = title?.replace('…', '') ?? '';
    expect(title).toMatch(/…$/);
    expect(`${long} `).toContain(`${shown} `);
  });

  it('keeps the stated title and the telling name of a file before a sentence', () => {
    expect(outlineOfFile('# Herons\n\nThey wait.', 'notes.md')).toMatchObject({
      title: 'Herons',
      isStated: true,
    });
    expect(outlineOfFile('They wait in the reeds.', 'herons of the lake.txt')).toMatchObject({
      title: 'herons of the lake',
      isStated: false,
    });
    for (const name of [
      'IMG_2041.txt',
      'scan 3.txt',
      'document (2).txt',
      '20240501-0003.txt',
      'untitled.txt',
    ])
      expect(outlineOfFile('They wait in the reeds.', name).title, name).toBe('They wait in the reeds');
    expect(outlineOfFile('{"a": 1}', 'scan0001.json').title).toBe('scan0001');
  });

  it('prefers central sentences to exclamations and to what nothing else in the text is about', () => {
    const { summary } = outlineOfText(
      [
        'Mel: Wow, Caroline, what a lovely day for both of us!',
        'Caroline: The adoption agency called me on Monday about the papers.',
        'Mel: Caroline, how wonderful for both of you!',
        'Caroline: The agency wants the papers of the adoption by Friday.',
        'Mel: I once had a cat that slept on the printer all day long.',
        'Caroline: My lawyer looks at the adoption papers tomorrow morning.',
        'Mel: What a lovely day that will be for you, Caroline!',
        'Caroline: The judge signs the adoption papers of the agency in the spring of next year.',
      ].join('\n'),
    );
    expect(summary).toContain('adoption');
    expect(summary).not.toContain('!');
    expect(summary).not.toContain('printer');
  });
});

describe('the cost of an outline', () => {
  it('is that of the beginning: later pieces are not looked at', () => {
    const sentence = 'The keeper of the lighthouse repairs the lamp before the storm arrives. ';
    const piece = { text: sentence.repeat(15), role: null, isMessage: false };
    const unread = {
      role: null,
      isMessage: false,
      get text(): string {
        throw new Error('This piece was read.');
      },
    };
    const pieces = [
      ...Array.from({ length: 40 }, () => piece),
      ...Array.from({ length: 1_000 }, () => unread),
    ];
    const { title } = drawOutline({ pieces, stated: null, fileName: null, otherName: null });
    expect(title).toBe('The keeper of the lighthouse repairs the lamp before the storm arrives');
  });

  it('is bounded for hostile texts', () => {
    const hostile = [
      '(',
      'a(',
      ' ',
      '"',
      '"a":',
      '```\n',
      '---\n',
      '# ',
      '| ',
      'a: b\n',
      '=>',
      'a,',
      '\t',
      '//',
      '猫',
      'A. ',
    ];
    const cost = cpuMs(() => {
      for (const piece of hostile)
        for (const isMessage of [false, true])
          drawOutline({
            pieces: [{ text: piece.repeat(Math.ceil(1_000_000 / piece.length)), role: null, isMessage }],
            ...{ stated: null, fileName: null, otherName: null },
          });
    });
    expect(cost).toBeLessThan(3_000);
  });
});
