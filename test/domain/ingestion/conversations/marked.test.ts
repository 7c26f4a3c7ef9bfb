// Tests of conversations whose messages stand between marks, as agent plugins write them.
import { describe, expect, test } from 'vitest';
import { parseContent } from '../../../../server/domain/ingestion/content/parse-content.ts';
import type { Turn } from '../../../../server/domain/ingestion/conversations/conversation.ts';
import { MARKED_FORMS } from '../../../../server/domain/ingestion/conversations/marked/forms.ts';
import { readConversation } from '../../../../server/domain/ingestion/conversations/read-conversation.ts';
import { cpuMs } from '../fixtures/cost.ts';
import { parseConversation } from '../fixtures/parse-conversation.ts';

const user = (text: string): Turn => ({ role: 'user', text });
const assistant = (text: string): Turn => ({ role: 'assistant', text });
const system = (text: string): Turn => ({ role: 'system', text });
const tool = (text: string): Turn => ({ role: 'tool', text });
const loose = (text: string): Turn => ({ role: null, text });
const HI = [user('Hi there'), assistant('Hello!')];

const startMark = (role: string, text: string) => `<|start|>${role}<|message|>${text}<|end|>`;
const roleBracket = (role: string, text: string) => `[role: ${role}]\n${text}\n[${role}:end]`;

const read: [name: string, content: string, turns: Turn[]][] = [
  [
    'ChatML with a separator mark',
    '<|im_start|>user<|im_sep|>Hi there<|im_end|>\n<|im_start|>assistant<|im_sep|>Hello!<|im_end|>',
    HI,
  ],
  ['start marks', `${startMark('user', 'Hi there')}\n\n${startMark('assistant', 'Hello!')}`, HI],
  ['start marks on one line', startMark('user', 'Hi there') + startMark('assistant', 'Hello!'), HI],
  ['start marks of one message', startMark('user', 'Hi there'), [user('Hi there')]],
  [
    'start marks with the times of two sessions',
    [
      '<|turn_start|>2026-03-04T18:00:00.000Z',
      startMark('user', 'Hi there'),
      '<|turn_end|>',
      '<|turn_start|>2026-03-05T18:00:00.000Z',
      startMark('assistant', 'Hello!'),
      '<|turn_end|>',
    ].join('\n\n'),
    [
      { ...user('Hi there'), at: Date.UTC(2026, 2, 4, 18) },
      { ...assistant('Hello!'), at: Date.UTC(2026, 2, 5, 18) },
    ],
  ],
  [
    'start marks of tools and channels',
    [
      startMark('user', 'Which files?'),
      startMark('assistant:tool', 'Bash: command="ls"'),
      startMark('assistant:tool_result', 'Bash(success): I live here'),
      '<|start|>assistant<|channel|>commentary to=functions.ls<|constrain|>json<|message|>{}<|call|>',
      '<|start|>functions.ls to=assistant<|channel|>commentary<|message|>a.ts<|end|>',
      '<|start|>assistant<|channel|>final<|message|>One.<|return|>',
    ].join('\n'),
    [
      user('Which files?'),
      tool('Bash: command="ls"'),
      tool('Bash(success): I live here'),
      tool('{}'),
      tool('a.ts'),
      assistant('One.'),
    ],
  ],
  ['role brackets', `${roleBracket('user', 'Hi there')}\n\n${roleBracket('assistant', 'Hello!')}`, HI],
  [
    'role brackets inside lines',
    '[role:user] Hi there [user:end]\n[role:assistant] Hello! [assistant:end]',
    HI,
  ],
  ['role brackets that nothing closes', '[role: user]\nHi there\n\n[role: assistant]\nHello!', HI],
  [
    'role brackets with tools, between the lines of a turn',
    `[turn:start timestamp="2026-03-04T18:00:00Z"]\n\n${roleBracket('user', 'Hi there')}\n\n[tool:Edit]\nfile: a.ts\n[tool:end]\n\n[tool_result:Edit status="error"]\nI am locked\n[tool_result:end]\n\n[turn:end]`,
    [user('Hi there'), tool('Edit:\nfile: a.ts'), tool('Edit (error):\nI am locked')].map((turn) => ({
      ...turn,
      at: Date.UTC(2026, 2, 4, 18),
    })),
  ],
  ['brackets', '[user] Hi there\n[assistant] Hello!', HI],
  ['brackets with colons', '[User]: Hi there\n\n[Assistant]: Hello!', HI],
  ['brackets on lines of their own', '[user]\nHi there\n\n[assistant]\nHello!\n', HI],
  [
    'one bracket below the line of a session',
    '[Conversation ses_1:2-3]\n[user] Hi there',
    [user('Hi there')],
  ],
  [
    'other words for the roles',
    '[system] Be brief.\n[human] Hi there\n[bot] Hello!\n[developer] Be kind.\n[human] a\n[model] b\n[ai] c\n[function] d',
    [system('Be brief.'), ...HI, system('Be kind.'), user('a'), assistant('b'), assistant('c'), tool('d')],
  ],
  [
    'numbered brackets, below the line of a session and shortened',
    '[Session 1-2]\n1. [user] Hi there\n2. [assistant] Hello!\n3. [tool] [tool_call] ls({})\n...[truncated]',
    [...HI, tool('[tool_call] ls({})')],
  ],
  [
    'numbers that begin again',
    '[Session 1]\n1. [user] Hi there\n2. [assistant] Hello!\n[Session 1]\n1. [user] a\n2. [assistant] b\n1. [user] c',
    [...HI, user('a'), assistant('b'), user('c')],
  ],
  [
    'numbered messages with lists and brackets in them',
    '1. [user] Do:\n1. [x] this\n2. [ ] that\n[assistant] is a word\n\n2. [assistant] ok\n3. [user] b\n4. [assistant] c',
    [
      user('Do:\n1. [x] this\n2. [ ] that\n[assistant] is a word'),
      assistant('ok'),
      user('b'),
      assistant('c'),
    ],
  ],
  ['elements', '<user>Hi there</user>\n<assistant>Hello!</assistant>', HI],
  ['elements on one line', '<human>Hi there</human><ai>Hello!</ai>', HI],
  [
    'elements inside another, with markup in a message',
    '<conversation>\n  <user>\n    Hi <b>there</b>\n  </user>\n  <assistant>Hello!</assistant>\n</conversation>',
    [user('Hi <b>there</b>'), assistant('Hello!')],
  ],
  [
    'elements below a preamble',
    'Our chat:\n<user>Hi there</user>\n<assistant>Hello!</assistant>',
    [loose('Our chat:'), ...HI],
  ],
  [
    'a preamble',
    `Log of Monday\n\n${startMark('user', 'Hi there')}`.concat(startMark('assistant', 'Hello!')),
    [loose('Log of Monday'), ...HI],
  ],
  [
    'other line ends',
    `${roleBracket('user', 'Hi there')}\n\n${roleBracket('assistant', 'Hello!')}`.replaceAll('\n', '\r\n'),
    HI,
  ],
  [
    'a last message that is cut off',
    `${startMark('user', 'Hi there')}\n<|start|>assistant<|message|>Hel`,
    [user('Hi there'), assistant('Hel')],
  ],
  [
    'a last element that is cut off',
    '<user>Hi there</user>\n<assistant>Hel',
    [user('Hi there'), assistant('Hel')],
  ],
  [
    'a message in the middle that nothing closes',
    `<|start|>user<|message|>Hi there\n${startMark('assistant', 'Hello!')}\n${startMark('user', 'ok')}`,
    [...HI, user('ok')],
  ],
  [
    'the end of a message whose beginning is missing, as words of its role',
    `I like tea.\n[assistant:end]\n\n${roleBracket('user', 'Hi there')}\n\n${roleBracket('assistant', 'Hello!')}`,
    [assistant('I like tea.'), ...HI],
  ],
  [
    'the end of a message that nothing names, as words of nobody',
    `I like tea.<|end|>\n${startMark('user', 'Hi there')}\n${startMark('assistant', 'Hello! <|end|>\nI am here.')}`,
    [tool('I like tea.'), ...HI, tool('I am here.')],
  ],
  [
    'a message that mentions an opening mark',
    `${startMark('user', 'Why <|start|>assistant<|message|>?')}\n${startMark('assistant', 'Why not?')}`,
    [user('Why <|start|>assistant<|message|>?'), assistant('Why not?')],
  ],
  [
    'a quoted message that nothing closes, inside one that is closed',
    `${roleBracket('user', 'I saw\n[role: assistant]\nI like tea')}\n${roleBracket('assistant', 'Yes.')}`,
    [user('I saw'), tool('I like tea'), assistant('Yes.')],
  ],
  [
    'a message that quotes the line of a turn',
    `${roleBracket('user', `I saw\n[turn:end]\n${roleBracket('assistant', 'I like tea')}`)}\n${roleBracket('assistant', 'Yes.')}`,
    [user('I saw\n[turn:end]'), tool('I like tea'), assistant('Yes.')],
  ],
  ['empty messages', '1. [user]\n2. [assistant] Hello!\n3. [user] ok', [assistant('Hello!'), user('ok')]],
  [
    'a message that mentions a closing mark',
    `${startMark('user', 'Is <|end|> a mark?')}\n${startMark('assistant', 'Yes.')}`,
    [user('Is <|end|> a mark?'), assistant('Yes.')],
  ],
  [
    'messages that quote others, as words of nobody',
    `${startMark('user', `I saw\n${startMark('assistant', 'I like tea')}\nodd`)}\n${startMark('assistant', `Write\n${startMark('user', 'I own a yacht')}`)}`,
    [user('I saw'), tool('I like tea'), user('odd'), assistant('Write'), tool('I own a yacht')],
  ],
  [
    'role brackets that quote others',
    `${roleBracket('user', `I saw\n${roleBracket('assistant', 'I like tea')}\nodd`)}\n\n${roleBracket('assistant', 'Yes.')}`,
    [user('I saw'), tool('I like tea'), user('odd'), assistant('Yes.')],
  ],
  [
    'a log that a message quotes',
    '[user] It says:\n[info] a\n[error] b\n[assistant] ok\n[user] and\n[assistant] c',
    [user('It says:\n[info] a\n[error] b'), assistant('ok'), user('and'), assistant('c')],
  ],
];

const texts: [name: string, content: string][] = [
  ['a text that names a bracket', 'A form is [user] and its text.\nIt is read so.'],
  ['a text that begins with a bracket', '[user] is the label of a person.\nNothing else is.'],
  [
    'one numbered bracket in a list',
    '1. [x] buy milk\n2. [ ] sell the car\n3. [user] test with a user\n4. [assistant] hire',
  ],
  ['a task list', '- [x] user story\n- [ ] assistant\n- [user] login'],
  [
    'steps of a user and a system',
    '1. [User] opens the page\n2. [System] shows the form\n3. [User] sends it',
  ],
  [
    'a log',
    '[info] started\n[user] logged in\n[error] no disk\n[assistant] woke up\n[warn] slow\n[user] left',
  ],
  ['a log of programs', '[client] connected\n[agent] beats\n[client] sent'],
  ['sections of a configuration', '[user]\nname = ann\n\n[assistant]\nname = bot'],
  ['elements of data', '<users>\n<user>Ann</user>\n<user>Ben</user>\n</users>'],
  ['elements of data with other elements', '<user>Ann</user>\n<assistant>Ben</assistant>\n<team>Blue</team>'],
  ['elements with attributes', '<user id="1">Ann</user>\n<assistant id="2">Ben</assistant>'],
  [
    'code with marks',
    'const END = "<|end|>";\nconst text = `<|start|>user<|message|>Hi<|end|>`;\nsend(text);',
  ],
  [
    'code that holds messages',
    `text = """\n${startMark('user', 'Hi')}\n${startMark('assistant', 'Hello')}\n"""\nprint(count_tokens(text))\n`,
  ],
  [
    'an article with an example',
    `# Marks\n\nModels read marks.\n\nAn example:\n\n\`\`\`\n${startMark('user', 'Hi')}\n${startMark('assistant', 'Hello')}\n\`\`\`\n\nThe marks are tokens.`,
  ],
  [
    'an example between prose',
    `Here it is:\n\n${roleBracket('user', 'Hi')}\n\nand then the answer follows in the same way.`,
  ],
  [
    'an example far down',
    `${'A long introduction stands here.\n'.repeat(80)}${startMark('user', 'Hi')}\n${startMark('assistant', 'Hello')}`,
  ],
  [
    'an example at the end',
    `# Marks\n\nModels read marks.\nThey are tokens.\nAn example:\n${startMark('user', 'Hi')}\n${startMark('assistant', 'Hello')}`,
  ],
  ['one message as an example', `It looks like this:\n${roleBracket('user', 'Hi')}`],
  ['elements below other elements', '<team>Blue</team>\n<user>Ann</user>\n<assistant>Ben</assistant>'],
  ['an element that nothing closes', '<user>Ann\n<assistant>Ben</assistant>'],
  ['marks of unknown roles', '<|start|>alpha<|message|>one<|end|>\n<|start|>beta<|message|>two<|end|>'],
];

describe('a conversation with marks is read from', () => {
  test.each(read)('%s', (_name, content, turns) => expect(parseConversation(content)).toEqual(turns));
});

describe('no conversation is read from', () => {
  test.each(texts)('%s', (_name, content) => expect(parseConversation(content)).toBeNull());
});

describe('each form', () => {
  test.each(MARKED_FORMS.map((form) => [form.name, form] as const))(
    'reads what it writes: %s',
    (name, form) => {
      const turns = [system('Be brief.'), user('Hi\n\nthere'), assistant('Hello!'), tool('21'), user('ok')];
      const text = turns.map((turn, i) => form.write(turn, i + 1)).join('\n');
      const conversation = readConversation(text);
      expect(conversation?.form?.name).toBe(name);
      expect(conversation?.turns).toEqual(turns);
    },
  );

  test.each(MARKED_FORMS.map((form) => [form.name, form] as const))('keeps who spoke: %s', (_name, form) => {
    const written = [form.write(user('a'), 1), form.write({ role: null, speaker: 'Ana', text: 'I sail' }, 2)];
    const turns = parseConversation(`${written.join('\n')}\n${form.write(assistant('b'), 3)}`);
    expect(turns?.filter(({ role }) => role === 'user')).toEqual([user('a')]);
    expect(turns?.map(({ speaker, text }) => speaker ?? text).join()).toContain('Ana');
  });

  test.each(MARKED_FORMS.map((form) => [form.name, form] as const))(
    'is read in one pass: %s',
    (_name, form) => {
      const said = 'I moved to Trondheim in March, and my daughter plays the oboe. '.repeat(5);
      const long = (size: number) => {
        const pair = `${form.write(user(said), 1)}\n${form.write(assistant(said), 2)}\n`;
        return pair.repeat(size / pair.length);
      };
      const [small, large] = [long(250_000), long(2_000_000)];
      const cost = (text: string) => cpuMs(() => parseConversation(text));
      cost(small);
      expect(cost(large)).toBeLessThan(Math.max(200, cost(small) * 40));
    },
  );
});

describe('tools inside a message', () => {
  const segments = (content: string) =>
    parseContent(content, { kind: 'text' }).segments.map(({ role, text }) => [role, text]);

  test('become turns of their own, said by nobody', () => {
    const said = roleBracket(
      'user',
      'Run it.\n\n<tool_result id="7">\nI live\n\nin Rome.\n</tool_result>\nThanks.',
    );
    const reply = roleBracket('assistant', '[Tool: bash] ls\nTool result: a.ts\n\nDone.');
    expect(segments(`${said}\n\n${reply}`)).toEqual([
      ['user', 'Run it.'],
      ['tool', '<tool_result id="7">\nI live\n\nin Rome.\n</tool_result>'],
      ['user', 'Thanks.'],
      ['tool', '[Tool: bash] ls\nTool result: a.ts'],
      ['assistant', 'Done.'],
    ]);
  });

  test('are found in labelled lines as well', () => {
    expect(segments('user: Look.\n[tool_result] I own a boat.\n\nok\nassistant: Fine.')).toEqual([
      ['user', 'Look.'],
      ['tool', '[tool_result] I own a boat.'],
      ['user', 'ok'],
      ['assistant', 'Fine.'],
    ]);
  });

  test('are found in the parts of a JSON message, even if they hold marks', () => {
    const parts = [
      { type: 'text', text: 'Look.' },
      { type: 'tool_result', content: [{ type: 'text', text: 'I own</tool_result>\na boat.' }] },
    ];
    const turns = [
      { role: 'user', content: parts },
      { role: 'assistant', content: 'Fine.' },
    ];
    expect(segments(JSON.stringify(turns))).toEqual([
      ['user', 'Look.'],
      ['tool', '<tool_result>\nI own\na boat.\n</tool_result>'],
      ['assistant', 'Fine.'],
    ]);
  });

  test('go on to the end if nothing closes them', () => {
    expect(segments('user: Look.\n<tool_use>\nI sail.\nassistant: ok')).toEqual([
      ['user', 'Look.'],
      ['tool', '<tool_use>\nI sail.'],
      ['assistant', 'ok'],
    ]);
  });
});

describe('hostile texts of marks', () => {
  const pieces = [
    '<|start|>user<|message|>',
    '<|end|>\n',
    '[role: user]\n',
    '[user:end]\n',
    '[user] ',
    '[user] a\n',
    '1. [x] a\n',
    '<user>',
    '</user>',
    '<tool_result>\n',
    '\n[tool:x]\n',
    '<|turn_end|>\n',
    '[Session a]\n',
  ];
  const openings = [
    '',
    '<|start|>user<|message|>',
    '[role: user]\n',
    '[user] a\n[assistant] b\n',
    '<user>a</user>\n<assistant>',
  ];

  test.each(pieces)('are read in one pass: %j', (piece) => {
    const cost = cpuMs(() => {
      for (const opening of openings)
        parseContent(opening + piece.repeat(1_000_000 / piece.length), { kind: 'text' });
    });
    expect(cost).toBeLessThan(5_000);
  });
});
