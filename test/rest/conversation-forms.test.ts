// The forms in which programs write a conversation, over REST: each gives the same turns, speakers and memories.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { searchesOf } from './support/searches.ts';
import { remembered } from './support/tell.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();
const { memories, documents } = searchesOf(api);

interface Said {
  role: 'user' | 'assistant';
  text: string;
}

const user = (text: string): Said => ({ role: 'user', text });
const assistant = (text: string): Said => ({ role: 'assistant', text });
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Both dialogues hold statements of the assistant in the first person, which nobody may take for the user's. */
const DIALOGUES: Said[][] = [
  [
    user('I moved to Trondheim in March. My daughter Signe plays the oboe.'),
    assistant('Lovely! I prefer Bergen myself, and I play the harp every evening.'),
    user('I am allergic to hazelnuts.'),
    assistant('Noted. My neighbour Rolf owns a bakery in Oslo.'),
  ],
  [
    user('My wife Ana works at a glass factory.\n\nI collect old maps.'),
    assistant('Good to know. I work at a shipyard, and my wife is called Petra.'),
    user('I drive a green van.'),
    assistant('I drive a red lorry and I live in Porto.'),
  ],
];

const FORMS: [name: string, write: (turns: readonly Said[]) => string][] = [
  ['user: …', (turns) => turns.map(({ role, text }) => `${role}: ${text}`).join('\n')],
  ['User: …', (turns) => turns.map(({ role, text }) => `${capital(role)}: ${text}`).join('\n\n')],
  [
    'Human: …',
    (turns) =>
      turns.map(({ role, text }) => `${role === 'user' ? 'Human' : 'Assistant'}: ${text}`).join('\n\n'),
  ],
  ['**User**: …', (turns) => turns.map(({ role, text }) => `**${capital(role)}**: ${text}`).join('\n\n')],
  ['## User', (turns) => turns.map(({ role, text }) => `## ${capital(role)}\n\n${text}`).join('\n\n')],
  ['messages of JSON', (turns) => JSON.stringify(turns.map(({ role, text }) => ({ role, content: text })))],
  ['ChatML', (turns) => turns.map(({ role, text }) => `<|im_start|>${role}\n${text}<|im_end|>`).join('\n')],
  [
    'start and message marks, between the marks of a session',
    (turns) =>
      [
        '<|turn_start|>2026-03-04T18:00:00.000Z',
        ...turns.map(({ role, text }) => `<|start|>${role}<|message|>${text}<|end|>`),
        '<|turn_end|>',
      ].join('\n\n'),
  ],
  [
    '[role: user] … [user:end]',
    (turns) => turns.map(({ role, text }) => `[role: ${role}]\n${text}\n[${role}:end]`).join('\n\n'),
  ],
  [
    '1. [user] … below a session line',
    (turns) =>
      `[Session 0b7e-41]\n${turns.map(({ role, text }, i) => `${i + 1}. [${role}] ${text}`).join('\n')}`,
  ],
  ['[user] …', (turns) => turns.map(({ role, text }) => `[${role}] ${text}`).join('\n')],
  ['<user> … </user>', (turns) => turns.map(({ role, text }) => `<${role}>${text}</${role}>`).join('\n')],
];

const MARKUP =
  /<\||\|>|\[\/?(?:role|user|assistant|session|turn)\b|<\/?(?:user|assistant)>|\*\*|^#|^\d\. |(?:^|\s)(?:user|human|assistant):/i;
const FOREIGN = /Bergen|harp|Rolf|bakery|Oslo|shipyard|Petra|lorry|Porto/;

/** Search shows the speaker before each message. */
const unlabelled = ({ content }: { content: string }): string =>
  content.replace(/^(?:user|assistant): /gm, '');

/** The memories of a dialogue in a form, sorted. */
const readIn = async (write: (turns: readonly Said[]) => string, turns: readonly Said[]) => {
  const tag = api.newTag();
  const document = await api.add({ content: write(turns), containerTag: tag });
  await api.memoir.remembered(document.id);
  return { tag, document, known: (await remembered(api, tag)).sort() };
};

describe('a conversation', () => {
  for (const [name, write] of FORMS)
    verifies('content:conversation:forms', `is read turn by turn from "${name}"`, async () => {
      for (const turns of DIALOGUES) {
        const plain = await readIn(
          (said) => JSON.stringify(said.map(({ role, text }) => ({ role, content: text }))),
          turns,
        );
        const { tag, document, known } = await readIn(write, turns);
        expect(await api.texts(document.id)).toEqual(turns.map(({ text }) => text));
        const asked = { containerTag: tag, searchMode: 'documents', window: 0 };
        for (const { role, text } of turns)
          expect((await memories(text, asked)).map(({ chunk }) => chunk)).toContain(`${role}: ${text}`);
        expect(known).toEqual(plain.known);
        expect(known).toHaveLength(3);
        expect(known.join('\n')).not.toMatch(FOREIGN);
        const found = await documents('oboe maps', {
          containerTag: tag,
          chunkThreshold: 0,
          documentThreshold: 0,
        });
        const passages = found.flatMap(({ title, chunks }) => [title, ...chunks.map(unlabelled)]);
        expect(passages.length).toBeGreaterThan(1);
        const titles = [document.title, (await api.read(document.id)).title];
        for (const text of [...known, ...titles, ...passages, ...(await api.texts(document.id))])
          expect(text ?? '').not.toMatch(MARKUP);
      }
    });

  for (const [name, write] of FORMS)
    verifies(
      'resend:conversation:forms',
      `goes on turn by turn under its customId in "${name}"`,
      async () => {
        const [turns = []] = DIALOGUES;
        const tag = api.newTag();
        const send = (said: readonly Said[]) =>
          api.add({ content: write(said), containerTag: tag, customId: `talk-${tag}` });
        const { id } = await send(turns.slice(0, 2));
        const first = (await api.chunks(id)).map((chunk) => chunk.id);
        expect(first).toHaveLength(2);
        await send(turns.slice(2));
        await send(turns);
        await api.memoir.remembered(id);
        expect(await api.texts(id)).toEqual(turns.map(({ text }) => text));
        expect((await api.chunks(id)).slice(0, 2).map((chunk) => chunk.id)).toEqual(first);
        const known = (await remembered(api, tag)).join('\n');
        expect(known).toMatch(/Trondheim/);
        expect(known).toMatch(/hazelnut/);
        expect(known).not.toMatch(FOREIGN);
      },
    );

  const CALLED = 'I live in Verona.';
  const tools: [name: string, content: string][] = [
    [
      'start marks',
      `<|start|>user<|message|>I play the cello.<|end|>\n<|start|>assistant:tool<|message|>Bash: command="cat me"<|end|>\n<|start|>assistant:tool_result<|message|>Bash(success): ${CALLED}<|end|>\n<|start|>assistant<|message|>Done.<|end|>`,
    ],
    [
      'role brackets',
      `[role: user]\nI play the cello.\n[user:end]\n\n[tool:Bash]\ncommand: cat me\n[tool:end]\n\n[tool_result:Bash status="success"]\n${CALLED}\n[tool_result:end]\n\n[role: assistant]\nDone.\n[assistant:end]`,
    ],
    [
      'numbered brackets',
      `[Session 4]\n1. [user] I play the cello.\n2. [tool] [tool_call] cat(me)\n3. [tool] [tool_result] ${CALLED}\n4. [assistant] Done.`,
    ],
    [
      'elements in a message',
      `user: I play the cello.\n<tool_use>cat me</tool_use>\n<tool_result>\n${CALLED}\n</tool_result>\nassistant: Done.`,
    ],
    [
      'lines in a message',
      `user: I play the cello.\n[Tool: Bash] cat me\nTool result: ${CALLED}\nassistant: Done.`,
    ],
    [
      'parts of JSON',
      JSON.stringify([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'I play the cello.' },
            { type: 'tool_result', tool_use_id: '1', content: CALLED },
          ],
        },
        { role: 'assistant', content: 'Done.' },
      ]),
    ],
  ];
  for (const [name, content] of tools)
    verifies(
      'content:conversation:tools',
      `keeps what tools answer and learns nothing of it: ${name}`,
      async () => {
        const tag = api.newTag();
        const { id } = await api.add({ content, containerTag: tag });
        await api.memoir.remembered(id);
        expect(await remembered(api, tag)).toEqual(['The user plays the cello']);
        expect(await api.found('Verona', tag)).toEqual([expect.stringContaining(CALLED)]);
      },
    );
});

const PLAIN: [name: string, content: string][] = [
  ['a text that names a mark', 'The label [user] stands before a message.\nIt is easy to read.'],
  ['a task list', '1. [x] call the plumber\n2. [ ] paint the fence\n3. [user] interview a customer'],
  ['a log', '[info] service started\n[user] session opened\n[error] disk is full\n[user] session closed'],
  ['data of elements', '<users>\n<user>Ann Lee</user>\n<user>Ben Roe</user>\n</users>'],
  ['code', 'const END = "<|end|>";\nconst START = "<|start|>user<|message|>";\nsend(START + END);'],
];

describe('a text', () => {
  for (const [name, content] of PLAIN)
    verifies('content:conversation:plain', `stays whole: ${name}`, async () => {
      const { id } = await api.add({ content, containerTag: api.newTag() });
      expect(await api.texts(id)).toEqual([content]);
    });
});
