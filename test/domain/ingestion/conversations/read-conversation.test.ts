// Tests of reading conversations from plain text and JSON.
import { describe, expect, it, test } from 'vitest';
import type { Turn } from '../../../../server/domain/ingestion/conversations/conversation.ts';
import { cpuMs } from '../fixtures/cost.ts';
import { parseConversation } from '../fixtures/parse-conversation.ts';

const user = (text: string): Turn => ({ role: 'user', text });
const assistant = (text: string): Turn => ({ role: 'assistant', text });
const said = (speaker: string, text: string): Turn => ({ role: null, speaker, text });
const loose = (text: string): Turn => ({ role: null, text });
const HI = [user('Hi there'), assistant('Hello!')];

const read: [name: string, content: string, turns: Turn[]][] = [
  [
    'handles before every line',
    '@mattis: ferry at noon\n@zofia: tickets for 12 July',
    [said('mattis', 'ferry at noon'), said('zofia', 'tickets for 12 July')],
  ],
  [
    'handles in angle brackets',
    '<mattis> ferry at noon\n<zofia> tickets for 12 July',
    [said('mattis', 'ferry at noon'), said('zofia', 'tickets for 12 July')],
  ],
  [
    'a time and a dash before the name',
    '18:40 - Morwenna: Caspian broke his leg\n18:41 - Till: oh noooo',
    [said('Morwenna', '18:40 - Caspian broke his leg'), said('Till', '18:41 - oh noooo')],
  ],
  [
    'times before names that come again',
    "07:30 Ylva (Max's mum): bring helmets\n07:35 Ylva (Max's mum): and skis\n07:40 Piet: ok",
    [
      said('Ylva', "07:30 (Max's mum) bring helmets"),
      said('Ylva', "07:35 (Max's mum) and skis"),
      said('Piet', '07:40 ok'),
    ],
  ],
  [
    'one message of a chat export',
    '12/03/2026, 09:15 - Dr. Weber: The blood test is on Friday.',
    [{ ...said('Dr. Weber', 'The blood test is on Friday.'), at: Date.UTC(2026, 2, 12, 9, 15) }],
  ],
  [
    'a few messages of which one speaker says two',
    "Bea: bins are full\nIvo: not again\nKofi: i'm away\nIvo: me too",
    [said('Bea', 'bins are full'), said('Ivo', 'not again'), said('Kofi', "i'm away"), said('Ivo', 'me too')],
  ],
  ['role words', 'user: Hi there\nassistant: Hello!', HI],
  ['role words with blank lines and other line ends', 'Human: Hi there\r\n\r\nAssistant: Hello!\r\n', HI],
  ['bold role words', '**User:** Hi there\n\n**Assistant**: Hello!', HI],
  ['role headings', '### User\nHi there\n\n### Assistant\nHello!', HI],
  ['other languages', '用户：Hi there\n助手：Hello!', HI],
  ['all on one line', 'user: Hi there assistant: Hello!', HI],
  ['a single message', 'user: Hi there', [user('Hi there')]],
  [
    'messages of several lines',
    'user: one\ntwo\n\nthree\nassistant: four',
    [user('one\ntwo\n\nthree'), assistant('four')],
  ],
  [
    'a heading before the first message',
    '# Trip\n\nuser: Hi there\nassistant: Hello!',
    [loose('# Trip'), ...HI],
  ],
  [
    'a role with a name',
    'User (Ana): Hi there\nAssistant: Hello!',
    [{ ...user('Hi there'), speaker: 'Ana' }, assistant('Hello!')],
  ],
  [
    'a label inside a code fence',
    'user: fix it\nassistant: so:\n```yaml\nuser: root\nagent: none\n```\nuser: ok',
    [user('fix it'), assistant('so:\n```yaml\nuser: root\nagent: none\n```'), user('ok')],
  ],
  [
    'a code fence that is never closed',
    'user: a\nassistant: ```js\nlet x\nuser: b\nassistant: c',
    [user('a'), assistant('```js\nlet x'), user('b'), assistant('c')],
  ],
  [
    'stars that belong to the text',
    'user: wax?\nassistant: **Wax:** helps.\n**You:** do it',
    [user('wax?'), assistant('**Wax:** helps.\n**You:** do it')],
  ],
  [
    'names',
    'Ana: Are we on?\nBen Carter: Yes!\nAna: ok',
    [said('Ana', 'Are we on?'), said('Ben Carter', 'Yes!'), said('Ana', 'ok')],
  ],
  [
    'a date before names',
    'Date: 8 May 2023\nAna: Hey!\nBen: Hi\nAna: ok',
    [loose('Date: 8 May 2023'), said('Ana', 'Hey!'), said('Ben', 'Hi'), said('Ana', 'ok')],
  ],
  [
    'numbered messages',
    '[D1:1] Ana: Hey!\n[D1:2] Ben: Hi\n[D1:3] Ana: ok',
    [said('Ana', '[D1:1] Hey!'), said('Ben', '[D1:2] Hi'), said('Ana', '[D1:3] ok')],
  ],
  [
    'two people who speak',
    'Ana: how are you?\nBen: thanks, I am fine',
    [said('Ana', 'how are you?'), said('Ben', 'thanks, I am fine')],
  ],
  [
    'one person who speaks',
    'Caroline: I went to a support group yesterday.',
    [said('Caroline', 'I went to a support group yesterday.')],
  ],
  [
    'one dated line of someone',
    'Date: 8 May 2023\nCaroline: Researching adoption agencies.',
    [loose('Date: 8 May 2023'), said('Caroline', 'Researching adoption agencies.')],
  ],
  ['ChatML', '<|im_start|>user\nHi there<|im_end|>\n<|im_start|>assistant\nHello!<|im_end|>', HI],
  [
    'WebVTT',
    'WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ana>Hello\n\n00:02.000 --> 00:03.000\n<v Ana>there\n\n00:03.000 --> 00:04.000\n<v Ben>Hi',
    [said('Ana', 'Hello there'), said('Ben', 'Hi')],
  ],
  [
    'SubRip',
    '1\n00:00:01,000 --> 00:00:02,000\nANA: Hello\n\n2\n00:00:02,000 --> 00:00:03,000\nBEN: Hi',
    [said('ANA', 'Hello'), said('BEN', 'Hi')],
  ],
];

const json: [name: string, value: unknown, turns: Turn[]][] = [
  [
    'OpenAI',
    [
      { role: 'user', content: 'Hi there' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello!' }] },
    ],
    HI,
  ],
  [
    'Anthropic thoughts, which nobody said',
    [
      { role: 'user', content: 'Hi there' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Hello!' },
        ],
      },
    ],
    HI,
  ],
  [
    'Gemini',
    {
      contents: [
        { role: 'user', parts: [{ text: 'Hi there' }] },
        { role: 'model', parts: [{ text: 'Hello!' }] },
      ],
    },
    HI,
  ],
  [
    'Vercel',
    {
      messages: [
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'Hi' },
            { type: 'text', text: ' there' },
          ],
        },
        { role: 'assistant', parts: [{ type: 'text', text: 'Hello!' }] },
      ],
    },
    HI,
  ],
  [
    'ShareGPT',
    {
      conversations: [
        { from: 'human', value: 'Hi there' },
        { from: 'gpt', value: 'Hello!' },
      ],
    },
    HI,
  ],
  [
    'an export with senders',
    {
      chat_messages: [
        { sender: 'human', text: 'Hi there' },
        { sender: 'assistant', text: 'Hello!' },
      ],
    },
    HI,
  ],
  [
    'LangChain',
    [
      { type: 'human', data: { content: 'Hi there' } },
      { type: 'ai', data: { content: 'Hello!' } },
    ],
    HI,
  ],
  [
    'tools and pictures',
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image_url', image_url: { url: 'x' } },
          { type: 'input_image', image_url: 'x' },
          { type: 'image', source: { data: 'x' } },
          { type: 'file' },
          { type: 'input_file', filename: 'plan.pdf' },
        ],
      },
      { role: 'assistant', content: '', tool_calls: [{ function: { name: 'weather' } }] },
      { role: 'tool', content: '21' },
    ],
    [
      user('Look\n[image]\n[image]\n[image]\n[file]\n[file: plan.pdf]'),
      assistant('[tool call: weather]'),
      { role: 'tool', text: '21' },
    ],
  ],
  [
    'roles and names',
    [
      { role: 'user', content: 'Hey', speaker: 'Ana' },
      { role: 'assistant', content: 'Hi', speaker: 'Ben' },
    ],
    [
      { ...user('Hey'), speaker: 'Ana' },
      { ...assistant('Hi'), speaker: 'Ben' },
    ],
  ],
  [
    'names',
    [
      { speaker: 'Ana', text: 'Hey', blip_caption: 'a photo of a dog' },
      { speaker: 'Ben', text: 'Hi' },
    ],
    [said('Ana', 'Hey\n[blip_caption: a photo of a dog]'), said('Ben', 'Hi')],
  ],
  [
    'times, in seconds and in milliseconds',
    [
      { role: 'user', content: 'Hi', created_at: '2026-01-02T03:04:05Z' },
      { role: 'assistant', content: 'Yo', timestamp: 1767323046 },
      { role: 'user', content: 'Long ago', timestamp: 100_000_000_000 },
    ],
    [
      { ...user('Hi'), at: 1767323045000 },
      { ...assistant('Yo'), at: 1767323046000 },
      { ...user('Long ago'), at: 100_000_000_000 },
    ],
  ],
  [
    'words beside the messages',
    { id: 'x1', title: 'Trip', summary: 'We plan a trip.', messages: [{ role: 'user', content: 'Hi' }] },
    [loose('summary: We plan a trip.'), user('Hi')],
  ],
  [
    'several conversations',
    [
      { title: 'A', messages: [{ role: 'user', content: 'x' }] },
      { title: 'B', messages: [{ role: 'user', content: 'y' }] },
    ],
    [loose('title: A'), user('x'), loose('title: B'), user('y')],
  ],
];

describe('a conversation is read from', () => {
  test.each(read)('%s', (_name, content, turns) => expect(parseConversation(content)).toEqual(turns));
  test.each(json)('JSON: %s', (_name, value, turns) =>
    expect(parseConversation(JSON.stringify(value))).toEqual(turns),
  );

  const list = JSON.stringify([
    { role: 'user', content: 'Hi there' },
    { role: 'assistant', content: 'Hello!' },
  ]);

  it('JSON that was stringified twice', () => expect(parseConversation(JSON.stringify(list))).toEqual(HI));

  it('one JSON object per line', () => {
    const lines = '{"role":"user","content":"Hi there"}\n\n{"role":"assistant","content":"Hello!"}\n';
    expect(parseConversation(lines)).toEqual(HI);
  });

  it('a JSON list that was cut off, as far as it goes', () => {
    const cut =
      '[\n  {"role":"user","content":"Hi there"},\n  {"role":"assistant","content":"Hello!"},\n  {"role":"us';
    expect(parseConversation(cut)).toEqual([...HI, loose(',\n  {"role":"us')]);
  });

  it('JSON after lines of text, which are kept', () => {
    const lead =
      'Here is the date the session took place: 8 May 2023\n\nHere is the session as a stringified JSON:';
    expect(parseConversation(`${lead}\n${list}`)).toEqual([loose(lead), ...HI]);
    expect(parseConversation(`Log\n\`\`\`json\n${list}\n\`\`\`\nThe end.`)).toEqual([
      loose('Log'),
      ...HI,
      loose('The end.'),
    ]);
  });

  it('the stamps of chat exports, with day and month told apart by all of them', () => {
    const day = parseConversation('[03/04/2026, 14:03] Ana: x\nmore\n[25/04/2026, 14:05] Ben: y');
    expect(day?.map((turn) => [turn.text, turn.at])).toEqual([
      ['x\nmore', Date.UTC(2026, 3, 3, 14, 3)],
      ['y', Date.UTC(2026, 3, 25, 14, 5)],
    ]);
    const month = parseConversation(
      '3/4/26, 2:03 PM - Ana: x\n3/4/26, 2:04 PM - Ben joined\n3/25/26, 2:05 PM - Ana: y',
    );
    expect(month?.map((turn) => [turn.role, turn.speaker, turn.at])).toEqual([
      [null, 'Ana', Date.UTC(2026, 2, 4, 14, 3)],
      ['system', undefined, Date.UTC(2026, 2, 4, 14, 4)],
      [null, 'Ana', Date.UTC(2026, 2, 25, 14, 5)],
    ]);
  });
});

const texts: [name: string, content: string][] = [
  ['prose', 'The museum opened in 1924. It held: models, letters.'],
  ['notes with colons', 'Note: this is not a chat\nPrice: 5 euro\nTime: 10:30\nThe rest is prose: here.'],
  ['a form', 'User: admin\nPassword: secret\nHost: example'],
  ['a list of accounts', 'User: ada\nPassword: tea\nUser: bob'],
  ['a form with a customer and an agent', 'Customer: Acme\nAgent: Bob\nTotal: 5 euro\nDue: Friday'],
  ['headers of requests', 'Host: a.example\nAccept: all\nConnection: close\n'.repeat(3)],
  [
    'a log of a program',
    '[2026-03-01 14:03:22] production.ERROR: no disk\n[2026-03-01 14:03:23] production.INFO: retried',
  ],
  ['records', 'Name: Ana\nAge: 30\nName: Ben\nAge: 31\nName: Cy\nAge: 32'],
  ['minutes', 'Resolved: the fee stays.\nResolved: we lock up at nine.\nCoach: Ms Abernathy.'],
  ['a glossary', 'Paris: capital of France\nRome: capital of Italy'],
  ['an abstract with heads', 'Rationale: a\nMethods: b\nResults: c\nMethods: d\nResults: e'],
  ['an e-mail', 'From: ana@example.com\nTo: ben@example.com\nSubject: Pier\n\nHi Ben,\nsee you.'],
  ['JSON that is data', '[{"name":"Widget","price":5},{"name":"Bolt","price":1}]'],
  ['one object', '{"from":"ana@example.com","subject":"Pier trip","body":"See you on Friday then"}'],
  ['a list of texts', '[{"text":"a"},{"text":"b"}]'],
  ['broken JSON', '[{"role":"user","content":"hi"}'],
  [
    'an example far down a document',
    `${'A long introduction to prompts stands here.\n'.repeat(60)}user: hi\nassistant: hello`,
  ],
  ['a form of which one label in three names a field', 'Ann: I like this.\nNote: do you?\nBen: We do.'],
  ['nothing', ' \n '],
];

describe('no conversation is read from', () => {
  test.each(texts)('%s', (_name, content) => expect(parseConversation(content)).toBeNull());
});

describe('hostile texts', () => {
  const size = 2_000_000;
  const pieces = [
    ' ',
    '\n',
    '[',
    '{',
    '[{',
    '[{"',
    '"',
    '\\',
    'user:',
    'A: b\n',
    'user: a\n',
    '<|im_start|>',
    '```\n',
    ':',
    '{"a":1\n',
    '\r',
    '[2026-03-01, 14:03] ',
  ];

  test.each(pieces)('are read in one pass: %j', (piece) => {
    const cost = cpuMs(() => {
      parseConversation(piece.repeat(size / piece.length));
      parseConversation(`user: a${piece.repeat(size / piece.length)}`);
    });
    expect(cost).toBeLessThan(5_000);
  });

  it('can be nested to any depth', () => {
    const depth = 100_000;
    const nested = `${'[{"role":"user","content":'.repeat(depth)}1${'}]'.repeat(depth)}`;
    expect(parseConversation(nested)).toBeNull();
  });

  it('are documents when they have more messages than any conversation', () => {
    expect(parseConversation('user: a\nassistant: b\n'.repeat(150_000))).toBeNull();
  });
});
