// Tests of cutting texts and queries into terms.
import { describe, expect, it } from 'vitest';
import { analyse, analyseCharacters, analyseQuery } from '../../../../server/lib/text/terms/analyse.ts';

describe('English text', () => {
  it('is lower-cased, cut into words and stemmed, stop words left out, repeats kept', () => {
    expect(analyse('The Cats were chasing cats; and the DOG slept.')).toEqual([
      'cat',
      'chase',
      'cat',
      'dog',
      'slept',
    ]);
  });

  it('loses possessives and apostrophes, straight or curly', () => {
    expect(analyse("James's O'Brien")).toEqual(analyse('James’s O’Brien'));
    expect(analyse("O'Brien's")).toEqual(['obrien']);
  });

  it('drops a contraction and keeps the word that it resembles', () => {
    expect(analyse("She'll see; we’ll see; I'd see")).toEqual(['see', 'see', 'see']);
    expect(analyse('shell well id hell')).toEqual(['shell', 'well', 'id', 'hell']);
  });

  it('has no terms when it contains only stop words or nothing', () => {
    expect(analyse('')).toEqual([]);
    expect(analyse(' \n\t—…!?')).toEqual([]);
    expect(analyse('to be or not to be')).toEqual([]);
  });
});

describe('a query', () => {
  it('is analysed as a text is', () => {
    const text = 'Where did Melanie’s café open, and ERR-4021?';
    expect(analyseQuery(text)).toEqual(analyse(text));
  });

  it('keeps its stop words when it has no others', () => {
    expect(analyseQuery('Who am I?')).toEqual(['who', 'am', 'i']);
    expect(analyseQuery("Don't!")).toEqual(['dont']);
  });

  it('keeps repeated words', () => {
    expect(analyseQuery('wing flow over a wing')).toEqual(['wing', 'flow', 'wing']);
  });
});

describe('codes and identifiers', () => {
  it.each([
    ['ERR-4021', ['err', '4021']],
    ['a1b2', ['a1b2']],
    ['foo_bar', ['foo', 'bar']],
    ['v1.2.3', ['v1', '2', '3']],
    ['user@example.com', ['user', 'exampl', 'com']],
    ['running2', ['running2']],
  ])('%s becomes %j wherever it stands', (code, terms) => {
    expect(analyseQuery(code)).toEqual(terms);
    expect(analyse(`→ ${code}, naïve`).slice(0, terms.length)).toEqual(terms);
  });

  it('of any length are cut to the longest word of a database', () => {
    const [term, ...others] = analyse('x'.repeat(5000));
    expect(others).toEqual([]);
    expect(term).toHaveLength(128);
    expect(analyseQuery('x'.repeat(6000))).toEqual([term]);
  });
});

describe('text in other scripts', () => {
  it('loses its accents, composed or not', () => {
    expect(analyse('Málaga, Łódź, Straße, Ærø')).toEqual(['malaga', 'lodz', 'strass', 'aero']);
    expect(analyse('café')).toEqual(analyse('cafe\u0301'));
    expect(analyse('café')).toEqual(analyse('CAFE'));
  });

  it('is folded from compatibility forms', () => {
    expect(analyse('ﬁne ＦＵＬＬ ½ ㎏')).toEqual(['fine', 'full', '1', '2', 'kg']);
  });

  it('keeps whole words where words are separated by spaces, without stemming them', () => {
    expect(analyse('Привет, ёлка')).toEqual(['привет', 'елка']);
    expect(analyse('مَكْتَب محمـد')).toEqual(['مكتب', 'محمد']);
    expect(analyse('שָׁלוֹם')).toEqual(['שלום']);
    expect(analyse('ΟΔΟΣ οδός')).toEqual(['οδοσ', 'οδοσ']);
  });

  it('is cut into pairs of characters where words are not separated by spaces', () => {
    expect(analyse('東京タワー')).toEqual(['東京', '京タ', 'タワ', 'ワー']);
    expect(analyse('我喜欢北京。')).toEqual(['我喜', '喜欢', '欢北', '北京']);
    expect(analyse('한국어 책')).toEqual(['한국', '국어', '책']);
    expect(analyse('ไทย')).toEqual(['ไท', 'ทย']);
    expect(analyse('猫')).toEqual(['猫']);
  });

  it('keeps single characters that are words, and marks them within longer runs', () => {
    expect(analyseCharacters('うちの猫は猫。犬 책을')).toEqual(['猫', '책', '을']);
    expect(analyseCharacters('ไทย カメラ plain')).toEqual([]);
  });

  it('loses its article in Arabic, alone or with a prefix before it', () => {
    const meeting = analyse('اجتماع');
    for (const form of ['الاجتماع', 'والاجتماع', 'بالاجتماع', 'فالاجتماع', 'كالاجتماع'])
      expect(analyse(form)).toEqual(meeting);
    expect(analyse('للمدرسة')).toEqual(analyse('مدرسة'));
    expect(analyse('الى الم')).toEqual(['الى', 'الم']);
  });

  it('keeps the voicing of kana and folds their half width', () => {
    expect(analyse('がか')).toEqual(['がか']);
    expect(analyse('ｶﾞｽ')).toEqual(analyse('ガス'));
    expect(analyse('カス')).not.toEqual(analyse('ガス'));
  });

  it('is separated from Latin letters and digits that touch it', () => {
    expect(analyse('iPhone15を買った')).toEqual(['iphone15', 'を買', '買っ', 'った']);
  });

  it('has no terms when it is emoji alone', () => {
    expect(analyse('🎉 👩‍👩‍👧 ❤️')).toEqual([]);
    expect(analyseQuery('🎉')).toEqual([]);
    expect(analyse('party🎉time')).toEqual(['parti', 'time']);
  });

  it('yields terms of letters and digits only, so that every database takes a term for one word', () => {
    const text = 'हिन्दी भाषा ภาษาไทย मराठी বাংলা தமிழ் soft\u00adhyphen می‌خواهم ½ Ⅷ ㎏ ﷺ ǆ';
    for (const term of analyse(text)) expect(term).toMatch(/^[\p{L}\p{N}]+$/u);
  });
});

describe('large and hostile text', () => {
  it.each([
    ['one endless word', 'a'.repeat(1_000_000)],
    ['one endless accented word', 'é'.repeat(1_000_000)],
    ['endless characters', '猫'.repeat(1_000_000)],
    ['apostrophes', "'".repeat(1_000_000)],
    ['words joined by apostrophes', "é'".repeat(500_000)],
    ['a letter under a million marks', `a${'\u0301'.repeat(1_000_000)}`],
    ['halves of characters', '\ud800'.repeat(1_000_000)],
    ['ordinary words', 'The quick brown fox jumps. '.repeat(40_000)],
  ])('is analysed in a time that grows with its length alone: %s', (_, text) => {
    // One that grew faster would not end within the time of a test.
    expect(analyse(text)).toBeDefined();
  });

  it('means the same, however many words were analysed since', () => {
    const before = analyse('The runners were running naïvely');
    for (let batch = 0; batch < 80; batch++) {
      analyse(Array.from({ length: 1000 }, (_, word) => `word${batch}x${word}`).join(' '));
    }
    expect(analyse('The runners were running naïvely')).toEqual(before);
  });
});
