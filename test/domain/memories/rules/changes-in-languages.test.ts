// Tests of changes in the six languages without a grammar of their own: of the speaker, of "we", of somebody by name, of things.
import { describe, expect, test } from 'vitest';
import type { KnownMemory } from '../../../../server/adapters/language-model/ports/memory-reader.ts';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { known, request, turns } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();

interface After {
  /** The memories of the last message. */
  readonly drawn: readonly string[];
  /** The earlier memories that it replaces. */
  readonly replaced: readonly string[];
  /** The memories of the last message that replace them. */
  readonly replacedBy: readonly string[];
}

/** Sends one message after the other, each as a conversation of its own. */
const afterAll = async (...messages: readonly string[]): Promise<After> => {
  const stored: KnownMemory[] = [];
  let after: After = { drawn: [], replaced: [], replacedBy: [] };
  for (const [at, said] of messages.entries()) {
    const { memories } = await reader.read(request({ fresh: turns([null, said]), known: stored }));
    const texts = new Map(stored.map(({ id, memory }) => [id, memory]));
    const replaced = memories
      .flatMap(({ relations }) => relations)
      .flatMap(({ kind, to }) => (kind === 'updates' && 'known' in to ? (texts.get(to.known) ?? []) : []));
    const replacing = memories.filter(({ relations }) =>
      relations.some(({ kind, to }) => kind === 'updates' && 'known' in to),
    );
    after = {
      drawn: memories.map(({ memory }) => memory),
      replaced,
      replacedBy: replacing.map(({ memory }) => memory),
    };
    stored.push(...memories.map(({ memory }, place) => known(`${at}-${place}`, memory)));
  }
  return after;
};

describe('a sentence about somebody whom an earlier one named as the user’s is drawn, and replaces what it changes', () => {
  test.each([
    ['Meine Tochter Ronja lernt Klarinette.', 'Ronja hat mit Klarinette aufgehört und spielt jetzt Hockey.'],
    ['Mein Onkel Ernst wohnt in Gotha.', 'Ernst ist nach Weimar gezogen.'],
    ['Mi prima Sol trabaja en una peluquería.', 'Sol dejó la peluquería y abrió un vivero.'],
    ['Mon cousin Théo apprend la batterie.', 'Théo a arrêté la batterie.'],
    ['Mia figlia Irma gioca a pallavolo.', 'Irma ha lasciato la pallavolo e fa nuoto.'],
    ['O meu tio Zeca trabalha na Vale.', 'O Zeca saiu da Vale.'],
    ['我儿子小北在学围棋。', '小北不学围棋了，改学篮球。'],
  ])('%s | %s', async (before, after) => {
    const { drawn, replaced } = await afterAll(before, after);
    expect(drawn.length).toBeGreaterThan(0);
    expect(replaced.length).toBe(1);
  });
});

describe('a sentence about somebody whom no statement named gives no memory', () => {
  test.each([
    'Ronja hat mit Klarinette aufgehört.',
    'Sol dejó la peluquería.',
    'Théo a arrêté la batterie.',
    'Irma gioca a pallavolo.',
    '小北不学围棋了。',
  ])('%s', async (said) => {
    expect((await afterAll(said)).drawn).toEqual([]);
  });
});

describe('the home of "we" is the home of the user', () => {
  test.each([
    ['Wir wohnen in Suhl.', 'Wir sind nach Erfurt umgezogen.'],
    ['Vivimos en Lugo.', 'Nos mudamos a Vigo en mayo.'],
    ['Nous habitons à Pau.', 'On a déménagé à Tarbes le mois dernier.'],
    ['Abitiamo a Lecco.', 'Ci siamo trasferiti a Como.'],
    ['Moramos em Olinda.', 'A gente se mudou para Maceió.'],
    ['我们住在合肥。', '我们上个月搬到了厦门。'],
  ])('%s | %s', async (before, after) => {
    expect((await afterAll(before, after)).replaced.length).toBe(1);
  });
});

describe('an end that the user tells replaces what ended', () => {
  test.each([
    ['Ich rauche seit zehn Jahren.', 'Ich habe aufgehört zu rauchen.'],
    ['Lavoro in una cartoleria a Terni.', 'Ho cambiato lavoro.'],
    ['Je travaille chez Renault.', "J'ai quitté Renault et je travaille chez Bosch."],
    ['Juego al pádel los lunes.', 'He dejado el pádel.'],
    ['Trabalho numa padaria em Santos.', 'Larguei o emprego na padaria.'],
    ['我每天喝咖啡。', '我戒了咖啡。'],
  ])('%s | %s', async (before, after) => {
    expect((await afterAll(before, after)).replaced.length).toBe(1);
  });
});

describe('a thing that works again, a day that moved, an amount and a number that changed replace the earlier', () => {
  test.each([
    ['Der Aufzug im Rathaus ist kaputt.', 'Der Aufzug im Rathaus läuft wieder.'],
    ["L'imprimante du bureau est en panne.", "L'imprimante du bureau est réparée."],
    ['La cuota del coro es de 12 euros.', 'La cuota del coro sube a 15 euros.'],
    ['Le anatre sono nove.', 'La volpe ha preso due anatre, ne restano sette.'],
    ['A aula de canto é na terça às 19h.', 'A aula de canto foi adiada para quinta às 19h.'],
    ['会费是每年100元。', '会费涨到每年120元。'],
  ])('%s | %s', async (before, after) => {
    expect((await afterAll(before, after)).replaced.length).toBe(1);
  });
});

describe('what adds, is another’s, is wished, planned, visited or did not happen replaces nothing', () => {
  test.each([
    ['Meine Tochter Ronja lernt Klarinette.', 'Ronja lernt auch Geige.'],
    ['Mein Onkel Ernst wohnt in Gotha.', 'Mein Nachbar Ernst ist nach Weimar gezogen.'],
    ['Wir wohnen in Suhl.', 'Wir würden gern nach Erfurt ziehen.'],
    ['Wir wohnen in Suhl.', 'Wir sind nach Erfurt gefahren.'],
    ['Mi prima Sol trabaja en una peluquería.', 'Sol casi dejó la peluquería.'],
    ['Mi prima Sol vive en Irún.', 'Sol fue a Bilbao el martes.'],
    ['Mon cousin Théo apprend la batterie.', "Théo n'a pas arrêté la batterie."],
    ['Mia figlia Irma gioca a pallavolo.', 'Irma non ha ancora lasciato la pallavolo.'],
    ['Abitiamo a Lecco.', 'Vorremmo trasferirci a Como.'],
    ['O meu tio Zeca trabalha na Vale.', 'O Zeca quer sair da Vale.'],
    ['La cuota del coro es de 12 euros.', 'La cuota del coro para niños es de 6 euros.'],
    ['我们住在合肥。', '我们想搬到厦门。'],
    ['我儿子小北在学围棋。', '小北还在学画画。'],
  ])('%s | %s', async (before, after) => {
    expect((await afterAll(before, after)).replaced).toEqual([]);
  });
});

describe('what somebody began or got after an end of the same message comes in the place of what ended', () => {
  test.each([
    ['Abito a Bari e lavoro come cuoco.', 'Non lavoro più come cuoco. Ho aperto una libreria.', 'libreria'],
    ['Tenho um Fiat Uno.', 'Vendi o Fiat. Comprei uma Vespa.', 'Vespa'],
    ['Juego al fútbol los martes.', 'He dejado el fútbol. Ahora juego al tenis.', 'tenis'],
    ['Ich spiele Handball.', 'Ich habe mit Handball aufgehört. Ich spiele jetzt Tennis.', 'Tennis'],
    ['我有一辆丰田。', '我把丰田卖了。我换了一辆特斯拉。', '特斯拉'],
    ['我每天晚上喝啤酒。', '我不喝啤酒了，现在只喝水。', '喝水'],
  ])('%s | %s', async (before, after, word) => {
    expect((await afterAll(before, after)).replacedBy).toEqual([expect.stringContaining(word)]);
  });
});

describe('what is no other of its kind, or adds, does not come in its place', () => {
  test.each([
    ['Tenho um Fiat Uno.', 'Vendi o Fiat. Comprei pão na padaria do Zé.', 'Vendi|vendeu'],
    ['我有一辆丰田。', '我把丰田卖了。我也养了一只猫。', '卖'],
  ])('%s | %s', async (before, after, word) => {
    expect((await afterAll(before, after)).replacedBy).toEqual([expect.stringMatching(word)]);
  });
});
