// Tests of the gate: what deserves to be a memory, and what stays a passage alone.
import { expect, test } from 'vitest';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { request, turns } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();

const drawnFrom = async (said: string): Promise<string[]> => {
  const { memories } = await reader.read(request({ fresh: turns(['Nora', said]) }));
  return memories.map(({ memory }) => memory);
};

const noteIn = async (text: string): Promise<string[]> => {
  const fresh = [{ text, role: null, speaker: null, position: 0, date: null }];
  const { memories } = await reader.read({ ...request({ fresh }), conversation: false });
  return memories.map(({ memory }) => memory);
};

test.each([
  ['I use pnpm.', 'Nora uses pnpm'],
  ['I like k8s.', 'Nora likes k8s'],
  ['I love mofongo.', 'Nora loves mofongo'],
  ['I like probe1112f0.', 'Nora likes probe1112f0'],
])('a word that the grammar has never seen is concrete: "%s"', async (said, memory) => {
  expect(await drawnFrom(said)).toEqual([memory]);
});

test.each(['Yesss hahaha soooo good!', 'I definately agree.', 'I could do it some day.'])(
  'a reaction or a promise is no memory: "%s"',
  async (said) => {
    expect(await drawnFrom(said)).toEqual([]);
  },
);

test.each([
  "Here's a pic I took at the lake.",
  'Check out this photo of the beach in Rimini.',
  'Look at this picture, the light is so soft.',
  'Apex Legends looks tough.',
  "Here's a pic of my family at the lake.",
  'Check out this photo from one of our trips to Oslo.',
  'Rome is a great city.',
])('what somebody shows or judges is no memory: "%s"', async (said) => {
  expect(await drawnFrom(said)).toEqual([]);
});

test('but what is named beside a picture is', async () => {
  expect((await drawnFrom("Here's a photo of my dog Rex in Rimini.")).join()).toContain('Rex');
});

test('"they" of whom nothing is known makes no memory in the midst of a long message', async () => {
  const said =
    'Our roads are a mess these days and nobody at the council seems to care about it at all. They are full of potholes and damage cars and bikes. It breaks my heart every time.';
  expect((await drawnFrom(said)).join()).not.toContain('potholes');
});

const AROUND =
  'The week was long and the weather did not help at all, so that everybody in the house stayed in and played cards until late. ';

test.each([
  'We made it by a hair.',
  'I heard about her a lot.',
  'It was like walking into a Miyazaki film.',
  'Putting pen to paper helps me a lot.',
  'The bakery is awesome.',
  'Sometimes you swap tiles with the others.',
  "Seems like you're the one to ask for maps.",
])('a remark in the midst of a long message is no memory: "%s"', async (said) => {
  expect(await drawnFrom(`${AROUND}${said}`)).toEqual([]);
});

test.each([
  ['When I turned nine, my aunt gave me a kayak.', 'kayak'],
  ['Hey so I am Jonas, 19, from Aarhus originally.', 'Aarhus'],
  ['I learned to weld in Malmö.', 'weld'],
])('but what says something of somebody is: "%s"', async (said, word) => {
  expect((await drawnFrom(`${AROUND}${said}`)).join()).toContain(word);
});

test('"same here" gives nobody a name', async () => {
  expect((await drawnFrom('Same here.')).join()).not.toContain('name');
  expect(await drawnFrom('Rose here.')).toEqual(["Nora's name is Rose"]);
});

test('what follows a dash without a subject is said of the subject before', async () => {
  const drawn = await drawnFrom('The puppy is at a school - learning tricks and house manners.');
  expect(drawn.join()).not.toContain('Nora is learning');
});

test.each(['No worries!', 'Have to go, sorry. Cheers!'])(
  'a phrase of thanks corrects nothing: "%s"',
  async (said) => {
    const fresh = turns(
      ['Nora', 'The novel that I am reading is "Emma".'],
      ['Ida', 'Nice one.'],
      ['Nora', said],
    );
    const { memories } = await reader.read(request({ fresh }));
    expect(memories.map(({ memory }) => memory).join()).toContain('Emma');
  },
);

test('a title in quotation marks in front of a sentence keeps both marks', async () => {
  expect(await drawnFrom('"Brave" by Sara Bareilles is the song of my choir.')).toEqual([
    '"Brave" by Sara Bareilles is the song of Nora\'s choir',
  ]);
});

test('when two people last spoke is no part of a memory', async () => {
  expect(await drawnFrom('Since we last spoke, I joined the Harriers running club.')).toEqual([
    'Nora joined the Harriers running club',
  ]);
});

test('what takes the place of something stays in the statement that ends it', async () => {
  expect(await drawnFrom("I've gone off oat milk completely, it's almond milk now.")).toEqual([
    'Nora has gone off oat milk completely, it is almond milk now',
  ]);
});

test('a supposition is no memory, whatever it names', async () => {
  expect(await drawnFrom('Suppose I work at a bank in Leeds and earn 100k.')).toEqual([]);
});

test('a plan that names a place is a memory', async () => {
  expect(await drawnFrom('I might move to Paris.')).toEqual(['Nora might move to Paris']);
});

test('a thing that is placed somewhere is a memory', async () => {
  const key = 'The spare key of the boat house hangs behind the blue door';
  expect(await drawnFrom(`${key}.`)).toEqual([key]);
});

test('a short note with a foreign name is a memory', async () => {
  expect(await noteIn('Sven lives in Malmö.')).toEqual(['Sven lives in Malmö']);
});

test('a row of a table stays a passage', async () => {
  expect(await noteIn('fruit: apple; price: 3')).toEqual([]);
});

test("a mine is a place where somebody is named before it, and what is mine is the speaker's", async () => {
  expect(await drawnFrom('My uncle Joe works in a copper mine near Cobre.')).toEqual([
    "Nora's uncle Joe works in a copper mine near Cobre",
  ]);
  expect(await drawnFrom('The green bike in the hall is mine.')).toEqual([
    "The green bike in the hall is Nora's",
  ]);
});

test('a denial that adds to the sentence before corrects nothing in it', async () => {
  expect(await drawnFrom('Quotes are single in the Kestrel repo. No semicolons either.')).toContain(
    'Quotes are single in the Kestrel repo',
  );
});

test('a note states the state of a thing without an article, and a remark about a meal says nothing', async () => {
  expect(await noteIn('Roof is slate. Stove is broken.')).toEqual(['Roof is slate', 'Stove is broken']);
  expect(await noteIn('Coffee was had.')).toEqual([]);
});

test('one line of a header before the salutation is the frame of a mail', async () => {
  const mail = 'Subject: Your bike\nDear Ms Tran,\nyour Gazelle is ready on 4 May.\nBest wishes,\nPer Lund';
  expect(await noteIn(mail)).toEqual(["Ms Tran's Gazelle is ready on 4 May"]);
});

test('code that stands in a message without a fence states nothing, and the words around it do', async () => {
  const code = 'def owner(cat):\n    if cat == 1:\n        return 1\n    print("Rosa owns a parrot")';
  expect(await drawnFrom(`I write Python at Acme.\n\n${code}\n\nWhy is it so slow?`)).toEqual([
    'Nora writes Python at Acme',
  ]);
});

test('one of many numbered things replaces no other', async () => {
  const { memories } = await reader.read(
    request({ fresh: turns(['Nora', 'I know rule 7.'], ['Nora', 'I know rule 8.']) }),
  );
  expect(memories.flatMap(({ relations }) => relations)).toEqual([]);
});

test('quick writing that goes on in small letters is read sentence by sentence', async () => {
  expect(await drawnFrom('good I think? my instructor is Herr Pohl')).toEqual([
    "Nora's instructor is Herr Pohl",
  ]);
});

test('a heading that is said of the writer is a statement about the writer', async () => {
  expect(await noteIn('Allergic to: shellfish')).toEqual(['The user is allergic to shellfish']);
});

test('a remark in brackets about the conversation is no statement', async () => {
  expect(await drawnFrom('Look! [shares a photo of two dogs that are tied to a fence]')).toEqual([]);
});

test.each([
  'The personal touch really sets it apart.',
  'The kids loved it!',
  'I love the freedom and connection it brings.',
  'Tough times pass.',
  'Memories and motivators definitely help us stay on track.',
  'Kids are amazingly resilient in tough situations.',
  'Horses have such grace.',
  'I have been organizing something with my friends.',
  'I tried one last week.',
  'We can achieve great things if we join forces.',
  'Kudos for helping kids learn.',
])('a remark that says nothing outside its conversation is no memory: "%s"', async (said) => {
  expect(await drawnFrom(said)).toEqual([]);
});

test.each([
  ['Deliveries go to the back door.', 'Deliveries go to the back door'],
  ['Branches are named after the ticket.', 'Branches are named after the ticket'],
  ['Branch names start with the ticket number.', 'Branch names start with the ticket number'],
  ['Invoices go to accounts@harlow.example.', 'Invoices go to accounts@harlow.example'],
  ['Max and I love long walks on the beach.', 'Max and Nora love long walks on the beach'],
  ['My sister Luna is really into chess.', "Nora's sister Luna is really into chess"],
])('a rule of a place or a project, and a person, are no remark: "%s"', async (said, memory) => {
  expect(await drawnFrom(said)).toEqual([memory]);
});

test('a statement behind a remark of its speaker is a memory of its own', async () => {
  expect(await drawnFrom("I'm doing well, I just had a picnic with the wife and kids.")).toEqual([
    'Nora just had a picnic with the wife and kids',
  ]);
});

test('a list whose last noun belongs to each item stays one statement', async () => {
  expect(await drawnFrom("I'm into electronic and rock music.")).toEqual([
    'Nora is into electronic and rock music',
  ]);
});

test.each([
  'Boil the pasta in salted water. Grate 80 g of cheese. Whisk the yolks. Toss until the sauce clings.',
  '1. Unplug the drill. 2. Turn the collar to the left. 3. Insert the bit. The lamp goes out after a minute.',
  'Wash the fabric in cold water. Do not bleach. Press the seams flat. The colour fades after a year.',
  'We tested 92 bumblebee colonies in four orchards. Colonies near hedges were 14 % heavier (p < 0.05).',
  'Fares rose by 4 per cent in a year. A spokeswoman for the railway declined to comment. Experts expect more.',
  '## 2.1.0\n- Fixed a leak in the parser.\n- The flag --old was removed.',
])('a short text for anybody stays a passage: "%s"', async (text) => {
  expect(await noteIn(text)).toEqual([]);
});

test.each([
  ['Feed the cat twice a day. Water the plants. The spare key is under the blue pot.', 'key'],
  ['Use pnpm for installs. Run the tests with vitest. Never commit to the main branch.', 'commit'],
  ['Order the chairs. Book the band. The hall costs 300 euros.', '300'],
  ['We measured the loft. It holds 14 boxes. The ladder belongs to Agnes.', 'Agnes'],
])('a note with directions for somebody is read: "%s"', async (text, word) => {
  expect((await noteIn(text)).join('\n')).toContain(word);
});

const toldByUser = async (said: string): Promise<string[]> => {
  const { memories } = await reader.read(request({ fresh: turns([null, said]) }));
  return memories.map(({ memory }) => memory);
};

test.each([
  'no footnotes, I read on the phone',
  'shorter paragraphs please',
  'whenever I paste a log, keep your reply to the cause',
  "if you're unsure, ask me first",
  "please don't apologise in every answer",
  'swedish punctuation',
  'citations in APA style only',
  'exclamation marks are forbidden',
])('how texts are to be is a standing instruction: "%s"', async (said) => {
  expect((await toldByUser(said)).join('\n')).toContain('standing instruction');
});

test.each([
  'great explanations!',
  'no comment',
  'when I ask my boss he laughs',
  'the answers were on page 9',
  'if you know a joke, go on',
])('what is said of texts is no instruction: "%s"', async (said) => {
  expect((await toldByUser(said)).join('\n')).not.toContain('standing instruction');
});

test.each([
  [
    'Dear Otto,\nthe walk starts at 9 from the bus stop. Please wear boots.\nBest,\nIlse Kern',
    'to wear boots',
  ],
  [
    'Hi all,\nsoup is at 7. Bring a spoon and a bowl.\nRegards\nBen Ash',
    'Ben Ash asks everybody to bring a spoon',
  ],
  ['Dear Ida,\nI am away in May. In emergencies call Mr. Boll.\nKind regards\nEva Rau', 'to call Mr. Boll'],
])('what a mail asks of its reader is a memory: "%s"', async (text, memory) => {
  expect((await noteIn(text)).join('\n')).toContain(memory);
});

test('a wish for an answer is no memory of a mail', async () => {
  expect(await noteIn('Dear Ida,\nplease let me know. Send my love to all.\nKind regards\nEva Rau')).toEqual(
    [],
  );
});

test.each([
  ['Friday it is', 'On Friday 12 May 2023 it is'],
  ['ok, the green paint it is then', 'green paint it is'],
  ['I like it as it is', ''],
  ['brilliant it is', ''],
])('what was decided is a memory: "%s"', async (said, memory) => {
  const found = (await drawnFrom(said)).join('\n');
  if (memory === '') expect(found).not.toContain('it is');
  else expect(found).toContain(memory);
});

const heardIn = async (...said: (readonly [string, string])[]): Promise<string[]> => {
  const { memories } = await reader.read(request({ fresh: turns(...said) }));
  return memories.map(({ memory }) => memory);
};

test.each([
  ['The spare key is with Milo.', 'The spare key is with Milo'],
  ['windows: Milo. stairs: me', 'Windows: Milo'],
  ['My landlord is Milo.', "Nora's landlord is Milo"],
])('a name that ends a statement is no form of address: "%s"', async (said, memory) => {
  expect(await heardIn(['Nora', said], ['Milo', 'fine'])).toContain(memory);
});

test('a form of address behind a statement is left out', async () => {
  expect(await heardIn(['Nora', 'My brother moved to Rome Milo!'], ['Milo', 'wow'])).toEqual([
    "Nora's brother moved to Rome",
  ]);
});

test('a letter behind a noun ends its sentence, and an initial does not', async () => {
  expect(await noteIn('The exam is in hall B. Anna Berg teaches physics.')).toEqual([
    'The exam is in hall B',
    'Anna Berg teaches physics',
  ]);
  expect(await noteIn('Our neighbour is J. Smith.')).toEqual([expect.stringContaining('J. Smith')]);
});

test.each([
  ["Don't eat: pork, prawns", "Nora doesn't eat pork"],
  ["Can't stand: jazz, mint", "Nora can't stand jazz"],
  ['Do like: plums, quinces', 'Nora likes plums'],
])('a label with a verb says what its writer does: "%s"', async (said, memory) => {
  expect((await drawnFrom(said)).join('\n')).toContain(memory);
});
