// Tests of reading texts by the rules: names, pronouns, kinds of text and relations.
import { beforeAll, describe, expect, it } from 'vitest';
import type {
  DrawnMemory,
  ReadRequest,
} from '../../../../server/adapters/language-model/ports/memory-reader.ts';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { finish } from '../../../../server/lib/async/steps.ts';
import { known, request, turn, turns } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();

const read = async (more: Partial<ReadRequest>): Promise<readonly DrawnMemory[]> =>
  (await reader.read(request(more))).memories;
const texts = async (more: Partial<ReadRequest>): Promise<string[]> =>
  (await read(more)).map(({ memory }) => memory);
const said = (speaker: string | null, text: string): Promise<string[]> =>
  texts({ fresh: turns([speaker, text]) });
const written = (text: string): Promise<string[]> =>
  texts({ fresh: [turn(null, text, { role: null })], conversation: false });

describe('names', () => {
  it('replace "the user" when they are known from the text, the store or the owner', async () => {
    const work = turn(null, 'I work at Siemens.', { position: 1 });
    const around = [turn(null, 'My name is Anna.')];
    expect(await texts({ fresh: [work], around })).toEqual(['Anna works at Siemens']);
    expect(await texts({ fresh: [work], known: [known('m', "The user's name is Anna")] })).toEqual([
      'Anna works at Siemens',
    ]);
    const guidance = { ...request().guidance, entityContext: ['The user is Anna, a nurse.'] };
    expect(await texts({ fresh: [work], guidance })).toEqual(['Anna works at Siemens']);
    expect(await texts({ fresh: [work] })).toEqual(['The user works at Siemens']);
  });

  it('use one slot for the user, named or not', async () => {
    const [moved] = await read({
      fresh: turns([null, 'I moved to York.']),
      known: [
        known('n', "The user's name is Anna"),
        known('h', 'The user lives in Leeds', { slot: 'user/home' }),
      ],
    });
    expect(moved).toMatchObject({
      memory: 'Anna moved to York',
      slot: 'user/home',
      relations: [{ kind: 'updates', to: { known: 'h' } }],
    });
  });

  it('are left out of a statement when they only address a person', async () => {
    expect(
      await texts({ fresh: turns(['Melanie', 'Hi!'], ['Caroline', 'Yeah Mel, I moved to Rome.']) }),
    ).toEqual(['Caroline moved to Rome']);
  });
});

describe('a month without a year', () => {
  // Said on Monday 8 May 2023.
  it.each([
    ['Anna moved to Rome in March and is learning to bake.', 'in March 2023'],
    ['Anna is learning to bake and moved to Rome in March.', 'in March 2023'],
    [
      'Anna moved to Rome in March and will go to Oslo in June.',
      'in March 2023 and will go to Oslo in June 2023',
    ],
    ['Anna will move to Rome in March and loves it.', 'in March 2024'],
    ['Anna handed in her notice, starting at a practice in January.', 'in January 2024'],
    ['Anna sold the house and moves out in April.', 'in April 2024'],
    ['Anna had the operation in March and walks without crutches.', 'in March 2023'],
    ['Anna booked flights to Oslo in February.', 'in February 2024'],
    ['Anna booked it in February.', 'in February 2023'],
  ])('is counted in the direction of the verb beside it: %s', async (text, dated) => {
    expect((await written(text)).join(' ')).toContain(dated);
  });
});

describe('messages', () => {
  it('are read without the time and the aside of their label', async () => {
    expect(await said('Anna', '[10:42] I moved to Graz.')).toEqual(['Anna moved to Graz']);
    expect(await said('Ylva', "07:40 (Max's mum) I live in Oslo")).toEqual(['Ylva lives in Oslo']);
    expect(await said('Till', '18:41 - I have a dog')).toEqual(['Till has a dog']);
  });
});

describe('pronouns', () => {
  it('are replaced where only one person or thing can be meant', async () => {
    expect(await said('Bob', 'My brother Jim is a pilot. He lives in Dallas.')).toEqual([
      "Bob's brother Jim is a pilot",
      "Bob's brother Jim lives in Dallas",
    ]);
    expect(await said('Anna', 'I adopted a puppy. It is called Biscuit.')).toContain(
      "Anna's puppy is called Biscuit",
    );
  });

  it('mean the thing that the sentence before is about', async () => {
    expect(await said('Bob', 'My car is a red Skoda. It is due for inspection in March 2027.')).toEqual([
      "Bob's car is a red Skoda",
      "Bob's car is due for inspection in March 2027",
    ]);
    expect(await said('Bob', "Our flat has three rooms. It's on the fourth floor.")).toEqual([
      "Bob's flat has three rooms",
      "Bob's flat is on the fourth floor",
    ]);
    for (const other of ['It rained all week.', 'It is nice to have a day off.', 'She bought it in May.'])
      expect((await said('Bob', `My car is a red Skoda. ${other}`)).slice(1)).not.toContainEqual(
        expect.stringContaining("Bob's car"),
      );
  });

  it('stay with the sentence before them when they could mean two', async () => {
    expect(await said('Bob', 'Eva met Maria at the station. She works for Lufthansa.')).toEqual([
      'Eva met Maria at the station. She works for Lufthansa',
    ]);
  });

  it("are replaced by the speaker's name when they mean nobody known", async () => {
    expect(await said('Bob', 'They offer yoga, kickboxing and circuit training on Fridays.')).toEqual([
      'Bob: They offer yoga, kickboxing and circuit training on Fridays',
    ]);
  });
});

describe('kinds of text', () => {
  it('of an assistant yield only the actions of the assistant', async () => {
    const fresh = [
      turn(null, 'You might like Tempelhof. Paris is the capital of France.', { role: 'assistant' }),
      turn(null, 'I have booked a table for two at Nobu.', { role: 'assistant', position: 1 }),
    ];
    expect(await texts({ fresh })).toEqual(['The assistant has booked a table for two at Nobu']);
  });

  it("of notes are read as the user's own", async () => {
    expect(await written('I live in Oslo.\n- User prefers tea\n\nAlways answer in Norwegian.')).toEqual([
      'The user lives in Oslo',
      'The user prefers tea',
      "The user's standing instruction: always answer in Norwegian",
    ]);
  });

  it("of long documents are not read as the user's own words", async () => {
    const long = `I was born in Ohio. ${'The harbour was rebuilt after the flood of that year. '.repeat(100)}`;
    expect((await written(long))[0]).toBe('The author was born in Ohio');
  });

  it('of documents yield a bounded number of statements, the most telling ones, in their order', async () => {
    const plain = Array.from({ length: 300 }, (_, at) => `The gate number ${at} squeaks in the wind.`);
    plain.splice(250, 0, 'The user is allergic to nuts.');
    const drawn = await written(plain.join('\n'));
    expect(drawn).toHaveLength(reader.limits.memoriesPerDocument);
    expect(drawn.at(-1)).toBe('The user is allergic to nuts');
    expect(drawn[0]).toContain('number 0');
  });

  it('of code, quotes of memories and headings yield no statement', async () => {
    const text =
      '# I live here\n```\nI live in Berlin.\n```\n<user-memories>I live in Rome.</user-memories>\nI live in Oslo.';
    expect(await said(null, text)).toEqual(['The user lives in Oslo']);
  });

  it('are told from each other where a short statement about oneself begins', async () => {
    expect(await said('Otto', 'Ich bin in Meran geboren.')).toEqual(['Otto ist in Meran geboren']);
    expect(await said('Otto', 'Mein Onkel lebt in Basel.')).toEqual(['Otto: Mein Onkel lebt in Basel']);
    expect(await said('Ugo', 'Sono nato a Modena.')).toEqual(['Ugo è nato a Modena']);
    expect(await said('Anna', 'Leo plays chess')).toEqual(['Leo plays chess']);
    expect(await said('Kees', 'Mijn adres is Kade 12')).toEqual([]);
  });

  it('keep ordinals, titles and abbreviations inside a sentence', async () => {
    expect(await said('Eva', 'Meine Zahnärztin ist Dr. Sommer. Ich habe am 7. Mai Geburtstag.')).toEqual([
      'Eva: Meine Zahnärztin ist Dr. Sommer',
      'Eva hat am 7. Mai Geburtstag',
    ]);
  });

  it.each([
    ['我会拉小提琴。', '王伟会拉小提琴'],
    ['我在南京读医学。', '王伟在南京读医学'],
    ['我和孙丽订婚了。', '王伟和孙丽订婚了'],
    ['我戴近视眼镜。', '王伟戴近视眼镜'],
    ['我是左撇子。', '王伟是左撇子'],
    ['我从去年开始在小米工作。', '王伟从去年开始在小米工作'],
    ['我换了手机号。', '王伟换了手机号'],
  ])('read Chinese: %s', async (sentence, memory) => {
    expect(await said('王伟', sentence)).toEqual([memory]);
  });

  it.each([
    '我会努力的。',
    '我会告诉你结果。',
    '我吃饱了。',
    '我是开玩笑的。',
    '我是说下次再聊。',
    '我在学校等你。',
    '我和你一起去吧。',
  ])('draw nothing from Chinese that states nothing: %s', async (sentence) => {
    expect(await said('王伟', sentence)).toEqual([]);
  });

  it('in other languages yield what somebody states explicitly about themself', async () => {
    expect(await said('Jürgen', 'Ich wohne seit zwei Jahren in Köln. Und du, wo wohnst du?')).toEqual([
      'Jürgen wohnt seit zwei Jahren in Köln',
    ]);
    expect(await said('Ana', 'Me llamo Ana y no me gusta el pescado. ¡Qué calor!')).toEqual([
      'Ana se llama Ana',
      'A Ana no le gusta el pescado',
    ]);
    expect(await said(null, '我住在北京。')).toEqual(['用户住在北京']);
  });

  it('in languages without rules stay passages', async () => {
    expect(await said('Jan', 'Ik woon in Utrecht en ik werk bij Philips.')).toEqual([]);
    expect(await said(null, '私は来週の水曜日に京都へ行きます。お元気ですか？')).toEqual([]);
  });
});

describe('relations', () => {
  it('do not let an older statement replace a newer one', async () => {
    const munich = known('m', 'Anna lives in Munich', { slot: 'anna/home', saidAt: Date.UTC(2024, 0, 1) });
    const [berlin] = await read({ fresh: turns(['Anna', 'I live in Berlin.']), known: [munich] });
    expect(berlin).toMatchObject({ memory: 'Anna lives in Berlin', relations: [], outdatedBy: 'm' });
  });

  it('are the same when drawn memories are related again', async () => {
    const facts = [known('b', 'Anna lives in Berlin', { slot: 'anna/home' }), known('d', 'Anna has a dog')];
    const memories = await read({
      fresh: turns(['Anna', 'I moved to Munich. My dog is called Rex. I hate tea.']),
      known: facts,
    });
    expect(reader.relate && finish(reader.relate(memories, facts))).toEqual(memories);
  });

  it('find the brother behind his name', async () => {
    const source = request({ fresh: turns(['Anna', 'Jim moved to Rome.']) });
    expect(finish(reader.lookupFor(source)).nearestTo).toEqual(['Jim moved to Rome']);
    const [moved] = await read({ ...source, known: [known('j', "Anna's brother Jim lives in Oslo")] });
    expect(moved?.relations).toEqual([{ kind: 'updates', to: { known: 'j' } }]);
  });

  it('do not take one of two sisters for the other', async () => {
    const eva = known('e', "Anna's sister Eva lives in Oslo", { slot: 'eva/home', about: 'anna/sister' });
    const [maria] = await read({ fresh: turns(['Anna', 'My sister Maria moved to Rome.']), known: [eva] });
    expect(maria?.relations).toEqual([]);
  });
});

describe('every statement that the rules write is read back as the same fact', () => {
  it.each([
    'I live in Berlin with my wife.',
    'My favourite colour is green.',
    'I no longer like sushi.',
    'My sister Eva works as a nurse.',
    'I have two cats.',
    'I stopped smoking.',
  ])('%s', async (sentence) => {
    const [first] = await read({ fresh: turns(['Anna', sentence]) });
    if (!first) throw new Error('Nothing was drawn.');
    const again = await read({ fresh: turns(['Anna', sentence]), known: [known('m', first.memory, first)] });
    expect(again).toMatchObject([{ memory: first.memory, relations: [] }]);
  });
});

describe('hostile text', () => {
  const PROSE =
    'Anna moved to Munich in May and works at a bakery there. Her brother Jim keeps three cats. I like her bread. ';

  const LENGTH = 200_000;
  let ofProse: number;

  /** Processor time: a limit in seconds would depend on the machine. */
  const timeToRead = async (text: string): Promise<number> => {
    const start = process.cpuUsage();
    for (const conversation of [true, false]) await read({ fresh: turns([null, text]), conversation });
    const { user, system } = process.cpuUsage(start);
    return user + system;
  };

  beforeAll(async () => {
    ofProse = await timeToRead(PROSE.repeat(LENGTH / PROSE.length));
  });

  const PIECES = [
    'a'.repeat(200_000),
    'I '.repeat(100_000),
    'and I live in and I live in '.repeat(8_000),
    '. '.repeat(100_000),
    '?!'.repeat(100_000),
    "'s ".repeat(60_000),
    '<memory '.repeat(20_000),
    '[a]('.repeat(40_000),
    `${'*_`'.repeat(50_000)}x`,
    '\n'.repeat(200_000),
    'My sister Eva, my brother Jim, '.repeat(6_000),
    'last week next week in 3 days '.repeat(6_000),
    'I like a, b, '.repeat(15_000),
    '```\n'.repeat(50_000),
    '\ud800'.repeat(100_000),
    '- '.repeat(100_000),
  ];

  it.each(PIECES.map((text) => ({ start: JSON.stringify(text.slice(0, 24)), text })))(
    'takes no longer to read than prose of its length when it is made of $start',
    async ({ text }) => {
      expect(await timeToRead(text)).toBeLessThan(ofProse);
    },
  );
});
