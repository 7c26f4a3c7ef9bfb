// Tests of the six languages without a grammar of their own: what is kept in the speaker's words, and what gives no memory.
import { describe, expect, test } from 'vitest';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { known, request, turn, turns } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();

const drawnFrom = async (...said: readonly (readonly [string | null, string])[]): Promise<string[]> =>
  (await reader.read(request({ fresh: turns(...said) }))).memories.map(({ memory }) => memory);

const drawnFromNote = async (...lines: readonly string[]): Promise<string[]> => {
  const note = turn(null, lines.join('\n'), { role: null });
  const { memories } = await reader.read(request({ conversation: false, fresh: [note] }));
  return memories.map(({ memory }) => memory);
};

describe('a sentence that names somebody, a number or a thing of the speaker is kept in the words of the speaker', () => {
  test.each([
    ['Mein Sohn lernt Trompete bei Herrn Budde.', 'Der Nutzer: Mein Sohn lernt Trompete bei Herrn Budde'],
    ['Wir zahlen 840 Euro Miete im Monat.', 'Der Nutzer: Wir zahlen 840 Euro Miete im Monat'],
    [
      'Tenemos una perra, Canela, que duerme en el sofá.',
      'El usuario: Tenemos una perra, Canela, que duerme en el sofá',
    ],
    ['me vine a Concepción por la universidad', 'El usuario: me vine a Concepción por la universidad'],
    ['Je tiens une boulangerie à Quimper.', "L'utilisateur: Je tiens une boulangerie à Quimper"],
    ['La boulangerie ouvre à 6 heures et demie.', "L'utilisateur: La boulangerie ouvre à 6 heures et demie"],
    ['Il nonno sta da noi a Bari da marzo.', "L'utente: Il nonno sta da noi a Bari da marzo"],
    [
      'A nossa gata Mel toma 2 comprimidos por dia.',
      'O utilizador: A nossa gata Mel toma 2 comprimidos por dia',
    ],
    ['我女儿叫小满，今年五岁。', '用户的女儿叫小满'],
    ['我在苏州的一家医院做药剂师。', '用户在苏州的一家医院做药剂师'],
    ['我喜欢吃辣，尤其是重庆火锅。', '用户喜欢吃辣，尤其是重庆火锅'],
  ])('%s', async (sentence, memory) => {
    expect(await drawnFrom([null, sentence])).toContain(memory);
  });

  test('and a clause that follows is about the same person', async () => {
    expect(await drawnFrom([null, '我女儿叫小满，今年五岁。'])).toEqual([
      '用户的女儿叫小满',
      '用户的女儿今年五岁',
    ]);
  });

  test('with the name of the one who speaks in a chat of several', async () => {
    expect(
      await drawnFrom(['Maëlle', 'son médecin c’est le docteur Vasseur'], ['Yanis', "d'accord, c noté"]),
    ).toEqual(['Maëlle: son médecin c’est le docteur Vasseur']);
  });
});

describe('the lines of a note are statements as they stand', () => {
  test.each([
    [
      [
        'Protokoll Kleingartenverein Morgensonne',
        'Kassenwart ist Herr Wiedemann.',
        'Die Pacht beträgt 210 Euro im Jahr.',
      ],
      ['Kassenwart ist Herr Wiedemann', 'Die Pacht beträgt 210 Euro im Jahr'],
    ],
    [
      ['Ata do condomínio Girassol', 'O salão de festas custa 150 reais por noite.'],
      ['O salão de festas custa 150 reais por noite'],
    ],
  ])('%j', async (lines, memories) => {
    expect(await drawnFromNote(...lines)).toEqual(memories);
  });

  test('but those of an article are not', async () => {
    const article =
      'Die Stadt hat am Dienstag beschlossen, die Brücke zu sperren. Nach Angaben von Frau Lindner dauern die Arbeiten bis zum 12. Oktober und kosten 3,4 Millionen Euro. Die Umleitung führt über die Leipziger Straße.';
    expect(await drawnFromNote(article)).toEqual([]);
  });
});

describe('a sentence about somebody whom the one before named', () => {
  test.each([
    [
      'Meine Tante Hilde lebt in Bern. Sie spricht Rätoromanisch.',
      'Der Nutzer: Meine Tante Hilde spricht Rätoromanisch',
    ],
    ['Ich habe eine Katze. Sie heißt Minka. Sie frisst nur Huhn. Sie ist 9 Jahre alt.', '9 Jahre alt'],
    ['Mi hijo se llama Bruno. Tiene 7 años.', 'El usuario: Mi hijo Bruno tiene 7 años'],
    ['Tengo una gata. Ella se llama Nube.', 'El usuario: Mi gata se llama Nube'],
    ["Mon oncle s'appelle Henri. Il vit à Brest.", "L'utilisateur: Mon oncle Henri vit à Brest"],
    [
      'Mia figlia si chiama Irene. Studia medicina a Pavia.',
      "L'utente: Mia figlia Irene studia medicina a Pavia",
    ],
    ['A minha avó chama-se Alda. Ela mora em Faro.', 'O utilizador: A minha avó Alda mora em Faro'],
    ['我弟弟叫大伟。他在广州上班。', '用户的弟弟在广州上班'],
  ])('names its subject: "%s"', async (said, memory) => {
    expect((await drawnFrom([null, said])).join('\n')).toContain(memory);
  });

  test.each([
    ['Meine Tante wohnt in Bern. Er ist Schlosser.', 'Schlosser'],
    ['Mein Vater arbeitet mit Jürgen. Er ist 40 Jahre alt.', '40'],
    ['Meine Tante wohnt in Bern. Sie ist super.', 'super'],
    ['Mi padre vive en Cádiz. Es a las 3.', 'las 3'],
    ['Mi padre vive en Cádiz. Escribe un poema sobre Cádiz.', 'poema'],
    ['Ma mère vit à Nice. Il fait beau aujourd’hui.', 'beau'],
    ['Mio nonno vive a Bari. Ha piovuto tutto il giorno.', 'piovuto'],
    ['O meu pai mora em Faro. Ela é médica.', 'médica'],
    ['我弟弟叫大伟。她是医生。他很好。', '很好'],
  ])('is left out where it may mean another or says nothing: "%s"', async (said, left) => {
    expect((await drawnFrom([null, said])).join('\n')).not.toContain(left);
  });
});

describe('thanks, orders to an assistant, opinions and farewells give no memory', () => {
  test.each([
    'Danke dir, Marta, das hilft mir sehr.',
    'Kannst du mir bitte 3 Rezepte schicken',
    'Schreib mir 5 Sätze über Goethe.',
    'Erklär mir den Unterschied zwischen HTTP 301 und 302.',
    'Ich glaube, das wird schon klappen mit der Prüfung.',
    'Muchas gracias, Lucía, me salvaste el día.',
    'Dame 10 ideas para un regalo',
    'Explícame cómo funciona Docker',
    'Nos vemos el lunes entonces, cuídate',
    'Creo que tienes razón en lo de Ana',
    'Merci beaucoup Camille, tu gères !',
    'Donne-moi 5 idées de recettes avec du Comté',
    'Je pense que Paul a raison sur ce point.',
    'Écris un mail à Madame Petit',
    'Grazie mille Giulia, sei un tesoro',
    'Scrivimi 3 frasi su Dante',
    'Ci vediamo sabato da Marco allora',
    'Secondo me ha ragione Luca.',
    'Muito obrigado, Teresa, foste incrível',
    'Escreve um texto sobre Camões',
    'Acho que o Pedro tem razão.',
    'Me dá 3 ideias de presente',
    '谢谢你，小王，太感谢了',
    '帮我写一篇关于北京的作文',
    '我觉得他说得对',
    'Mam 27 lat.',
    'Moja waga to 81 kg.',
  ])('%s', async (sentence) => {
    expect(await drawnFrom([null, sentence])).toEqual([]);
  });
});

test('another number in the same words replaces, and a word that adds does not', async () => {
  const replacing = async (before: string, after: string): Promise<number> => {
    const { memories } = await reader.read(
      request({ fresh: turns([null, after]), known: [known('before', before)] }),
    );
    return memories.flatMap(({ relations }) => relations).filter(({ kind }) => kind === 'updates').length;
  };
  expect(
    await replacing(
      'El usuario: la clase de cerámica es los jueves a las 18:30',
      'la clase de cerámica es los jueves a las 20:00',
    ),
  ).toBe(1);
  expect(
    await replacing(
      'El usuario: Tenemos una perra, Canela',
      'También hemos adoptado un gato, se llama Humo.',
    ),
  ).toBe(0);
});
