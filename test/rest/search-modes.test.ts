// Each mode of search, with the results that it gives and their shape.
import { beforeAll, describe, expect, test } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { addTexts, notes, routes, searchesOf, textOf } from './support/searches.ts';
import { create } from './support/tell.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();
const { memories, documents, refusal } = searchesOf(api);

const containerTag = 'notes of ada';
beforeAll(() => addTexts(api, containerTag, Object.values(notes), 'superrag'));

const first = async (q: string, more: object = {}): Promise<string | undefined> =>
  (await memories(q, { containerTag, ...more })).map(textOf)[0];

/** Questions that share one or two words with the note that answers them, or their stems. */
const paraphrases: readonly [string, string][] = [
  ['When do I have to see the dentist?', notes.dentist],
  ['Which animal lives with our neighbour?', notes.dog],
  ['To which day was the talk about money postponed?', notes.budget],
  ['When does my passport run out?', notes.passport],
  ['From where does the coach or train for Lyon depart?', notes.train],
  ['How much more will the landlord want?', notes.rent],
  ['Who takes care of the tomatoes during our holiday?', notes.tomatoes],
  ['What does grandmother make at weekends?', notes.cake],
];

describe('by meaning', () => {
  verifies(['search:semantic:paraphrase', 'search:hybrid:both'], 'a paraphrase finds its text', async () => {
    for (const [question, note] of paraphrases) {
      expect(await first(question, { searchMode: 'semantic', threshold: 0 }), question).toBe(note);
      expect(await first(question, { searchMode: 'hybrid' }), question).toBe(note);
    }
  });

  verifies('search:modes:ours', 'a text is found though not one whole word of it was said', async () => {
    const asked = { searchMode: 'semantic', threshold: 0 };
    expect(await first('dentistry appointments', asked)).toBe(notes.dentist);
    expect(await first('passports expiring', asked)).toBe(notes.passport);
  });
});

describe('by words', () => {
  verifies(
    ['search:keyword:exact', 'search:modes:ours', 'search:hybrid:both'],
    'an exact code or a rare word finds its text and nothing else',
    async () => {
      const rare = {
        'INV-20931': notes.invoice,
        'inv-20931': notes.invoice,
        'FX7-QQ12-99Z': notes.router,
        Yusuf: notes.tomatoes,
      };
      for (const [q, note] of Object.entries(rare)) {
        const found = await memories(q, { containerTag, searchMode: 'keyword' });
        expect(found.map(textOf), q).toEqual([note]);
        expect(await first(q, { searchMode: 'hybrid' }), q).toBe(note);
        expect(
          (await documents(q, { containerTag, searchMode: 'keyword' })).map(
            ({ chunks }) => chunks[0]?.content,
          ),
        ).toEqual([note]);
      }
    },
  );

  verifies('search:keyword:exact', 'an exact code comes before its siblings, and clearly', async () => {
    const tag = api.newTag();
    const codes = ['INV-20931', 'INV-20932', 'INV-20913', 'INV-2093'].map((code) => `${code} is paid.`);
    await addTexts(api, tag, codes, 'superrag');
    for (const code of codes) {
      const asked = { containerTag: tag, searchMode: 'keyword', threshold: 0 };
      const [best, next] = await memories(code.slice(0, -9), asked);
      expect(best?.chunk).toBe(code);
      expect(best?.similarity).toBeGreaterThan((next?.similarity ?? 0) + 0.1);
    }
  });

  verifies('search:keyword:exact', 'a code that is not there brings up none of its siblings', async () => {
    for (const q of ['INV-20932', 'When is the invoice INV-20932 due?', 'FX7-QQ12-99X'])
      for (const searchMode of ['keyword', 'hybrid'])
        expect(await memories(q, { containerTag, searchMode }), q).toEqual([]);
    const asked = { containerTag, searchMode: 'hybrid' };
    expect((await memories('When is the invoice INV-20931 due?', asked)).map(textOf)[0]).toBe(notes.invoice);
  });

  const foreign: readonly [string, string, string][] = [
    ['Japanese', '歯医者の予約は6月3日の午後4時です。', '歯医者の予約'],
    ['Chinese', '会议改到星期四下午三点，地点在二楼的会议室。', '星期四的会议'],
    ['Korean', '회의는 목요일 오후 세 시에 이층 회의실에서 열립니다.', '목요일 회의실'],
    ['Arabic', 'الاجتماع مؤجل إلى يوم الخميس في الساعة الثالثة بعد الظهر.', 'متى الاجتماع'],
    ['one character of Chinese', '我家的猫喜欢睡在窗边。', '猫'],
    ['one character of Japanese', 'うちの犬は毎朝川沿いを散歩します。', '犬'],
    ['one syllable of Korean', '이 책은 할머니가 주신 선물입니다.', '책'],
    ['Arabic without its article', 'المكتبة مغلقة يوم الجمعة والسبت.', 'متى مكتبة مغلقة'],
    ['Arabic with an article of its own', 'مكتبة الجامعة مغلقة يوم الجمعة.', 'المكتبة'],
    ['Russian', 'Стиральная машина ломается каждую зиму.', 'стиральная машина'],
    ['accented French', 'Le café de la gare ferme à dix-neuf heures, même en été.', 'cafe de la gare'],
    ['accented German', 'Die Schlüssel für das Gartenhäuschen hängen neben der Tür.', 'GARTENHÄUSCHEN'],
    ['decomposed Spanish', 'La niña duerme la siesta.'.normalize('NFD'), 'niña siesta'],
  ];
  test.each(foreign)('%s text is found, by words and by both', async (_language, content, q) => {
    const tag = api.newTag();
    await addTexts(api, tag, [content, notes.boiler, notes.cake], 'superrag');
    for (const searchMode of ['keyword', 'hybrid'])
      expect((await memories(q, { containerTag: tag, searchMode })).map(textOf)).toEqual([content]);
  });
});

test('a memory is found by one character that is a word in it', async () => {
  const tag = api.newTag();
  await create(api, tag, ['我家的猫喜欢睡在窗边', 'Ida plays the cello.']);
  for (const searchMode of ['memories', 'keyword'])
    expect((await memories('猫', { containerTag: tag, searchMode, threshold: 0.61 })).map(textOf)).toEqual([
      '我家的猫喜欢睡在窗边',
    ]);
});

describe('the mode', () => {
  verifies(
    ['search:modes:documents', 'search:modes:ours', 'search:results:memory-or-chunk'],
    'documents, hybrid, semantic and keyword give chunks, and no memory where there is none',
    async () => {
      for (const searchMode of ['documents', 'hybrid', 'semantic', 'keyword']) {
        const found = await memories('When is the appointment?', { containerTag, threshold: 0, searchMode });
        expect(found.length, searchMode).toBeGreaterThan(0);
        for (const hit of found) {
          expect(hit.chunk).toEqual(expect.any(String));
          expect(hit).not.toHaveProperty('memory');
        }
      }
    },
  );

  verifies(
    'search:modes:default',
    'the mode that does not exist fails with 400 and hears which there are',
    async () => {
      for (const route of routes) {
        const error = await refusal(route, { q: 'x', searchMode: 'fuzzy' });
        expect(error).toContain('searchMode');
        for (const mode of ['memories', 'hybrid', 'documents', 'semantic', 'keyword'])
          expect(error).toContain(mode);
      }
    },
  );
});

describe('results', () => {
  verifies(
    'search:results:deduplicated',
    'results hold the same content once, in both searches',
    async () => {
      const tag = api.newTag();
      const twice = 'The gate code of the allotment is 4711.';
      await addTexts(
        api,
        tag,
        [twice, `  ${twice}\n`, twice.toUpperCase(), 'The allotment has a gate with a code.'],
        'superrag',
      );
      for (const searchMode of ['documents', 'hybrid', 'semantic', 'keyword']) {
        const asked = { containerTag: tag, searchMode };
        const found = await memories('gate code of the allotment', { ...asked, threshold: 0 });
        const said = await documents('gate code of the allotment', asked);
        const texts = [found.map(textOf), said.flatMap(({ chunks }) => chunks.map(({ content }) => content))];
        for (const list of texts) {
          expect(list).toHaveLength(2);
          expect(list.filter((text) => text.includes('4711'))).toHaveLength(1);
        }
      }
    },
  );

  verifies(
    'search:results:deduplicated',
    'results are not used up by copies: what else there is comes too',
    async () => {
      const tag = api.newTag();
      const copies = Array.from({ length: 320 }, () => 'The ferry to the island sails at noon.');
      await addTexts(api, tag, [...copies, 'Take the ferry, and bring the dog to the island.'], 'superrag');
      const asked = { containerTag: tag, threshold: 0, limit: 5, searchMode: 'hybrid' };
      expect((await memories('the ferry to the island at noon', asked)).map(textOf)).toHaveLength(2);
      expect(await documents('the ferry to the island at noon', asked)).toHaveLength(2);
    },
  );

  verifies(
    'search:results:similarity',
    'a poor best result keeps a low value, a good one a high one',
    async () => {
      const asked = { containerTag, threshold: 0, searchMode: 'hybrid' };
      const similarities = async (q: string) =>
        (await memories(q, asked)).map(({ similarity }) => similarity);
      const good = await similarities('Ada prefers green tea');
      const poor = await similarities('The orbit of the third moon of Neptune');
      for (const value of [...good, ...poor]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
      expect(good[0]).toBeGreaterThan(0.8);
      expect(poor.length).toBeGreaterThan(0);
      expect(poor[0]).toBeLessThan(0.4);
      expect(good, 'best first').toEqual(good.toSorted((a, b) => b - a));
    },
  );
});
