import { describe, expect, it } from 'vitest';
import { analyseQuery } from '../../../../server/lib/text/terms/analyse.ts';

describe('the words of a question that only ask', () => {
  it.each([
    ['¿Dónde vive la usuaria?', ['vive', 'usuaria']],
    ['Wo wohnt Otto?', ['wohnt', 'otto']],
    ["Où habite l'utilisateur ?", ['habit', 'lutilisateur']],
    ['用户住在哪里？', ['用户', '户住', '住在']],
    ['猫叫什么名字？', ['猫', '名字']],
    ['王芳的生日是什么时候？', ['王芳', '生日']],
    ['兄はどこに住んでいますか', ['兄', '住ん', 'んで', 'でい']],
    ["Comment s'appelle l'hôpital ?", ['sappel', 'lhopit']],
    ['Где живёт Анна?', ['живет', 'анна']],
    ['Gdzie mieszka Ewa?', ['mieszka', 'ewa']],
    ['Ayşe nerede oturuyor?', ['ays', 'oturuyor']],
  ])('are not looked for: "%s"', (question, terms) => {
    expect(analyseQuery(question)).toEqual(terms);
  });

  it.each([
    ['我的猫', ['猫']],
    ['猫的名字', ['猫', '名字']],
    ['妹の誕生日', ['妹', '誕生', '生日']],
    ['我弹吉他吗', ['弹吉', '吉他']],
    ['我们的目的', ['目的']],
    ['のりの味', ['のり', 'りの', 'の味']],
  ])('are cut out of words that are written without spaces: "%s"', (question, terms) => {
    expect(analyseQuery(question)).toEqual(terms);
  });

  it('are looked for where nothing else is asked', () => {
    expect(analyseQuery('他们')).toEqual(['他们']);
    expect(analyseQuery('什么')).toEqual(['什么']);
    expect(analyseQuery('gdzie?')).toEqual(['gdzie']);
  });

  it('stay in an English question, where they are names and terms', () => {
    expect(analyseQuery('Does Die Zeit print the ISO code de?')).toEqual([
      'die',
      'zeit',
      'print',
      'iso',
      'code',
      'de',
    ]);
  });
});
