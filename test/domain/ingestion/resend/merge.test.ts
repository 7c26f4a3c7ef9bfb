// Tests of merging a submission with the stored text of the same customId.
import { describe, expect, it, test } from 'vitest';
import { MARKED_FORMS } from '../../../../server/domain/ingestion/conversations/marked/forms.ts';
import { type Merged, mergeTexts } from '../../../../server/domain/ingestion/resend/merge.ts';

type Decision = Merged['decision'];
type Row = [name: string, stored: string, incoming: string, decision: Decision, text?: string];

const LINES = 'user: I want to go to Lisbon.\nassistant: When?\nuser: ok';
const message = (role: string, content: string) => ({ role, content });
const MESSAGES = [
  message('user', 'I want to go to Lisbon.'),
  message('assistant', 'When?'),
  message('user', 'ok'),
];
const json = (...messages: object[]): string => JSON.stringify(messages);
const JSON_LIST = json(...MESSAGES);
const MORE = [message('assistant', 'In May?'), message('user', 'ok')];

const texts: Row[] = [
  ['the same text', 'I like tea.', 'I like tea.', 'identical', 'I like tea.'],
  [
    'the same text with other line ends and blanks around it',
    'I like tea.\r\nAnd dogs.',
    '\nI like tea.\nAnd dogs.\n',
    'identical',
    'I like tea.\r\nAnd dogs.',
  ],
  ['nothing', 'I like tea.', ' \n', 'identical', 'I like tea.'],
  ['a first text', '', 'I like tea.', 'superset'],
  ['the old text and more', 'I like tea.', 'I like tea. I like dogs.', 'superset'],
  [
    'the old text and more, with other line ends',
    'One line.\r\nTwo lines.',
    'One line.\nTwo lines.\nThree lines.',
    'superset',
  ],
  [
    'the old text within more',
    'The museum opened in 1924. It held models.',
    'A note.\nThe museum opened in 1924. It held models.\nThe end.',
    'superset',
  ],
  [
    'the same words indented in another way',
    '- a list of things\n- to do',
    '- a list of things\n  - to do',
    'superset',
  ],
  ['a word that goes on', 'I like tea', 'I like teapots', 'appended', 'I like tea\nI like teapots'],
  ['a new part', 'I like tea.', 'I like dogs.', 'appended', 'I like tea.\nI like dogs.'],
  [
    'a new part of paragraphs',
    '# Log\n\nMonday: rain.',
    'Tuesday: sun.',
    'appended',
    '# Log\n\nMonday: rain.\n\nTuesday: sun.',
  ],
  [
    'a new part with other line ends',
    'I like tea.\r\nAnd rain.',
    'I like dogs.\nAnd cats.',
    'appended',
    'I like tea.\r\nAnd rain.\r\nI like dogs.\r\nAnd cats.',
  ],
  [
    'a statement that differs in one word',
    'The user likes tea.',
    'The user likes coffee.',
    'appended',
    'The user likes tea.\nThe user likes coffee.',
  ],
  [
    'a short sentence said before',
    'Ok.\nI went to Lisbon and stayed for a week.',
    'Ok.',
    'appended',
    'Ok.\nI went to Lisbon and stayed for a week.\nOk.',
  ],
  [
    'the end of the old text and more',
    'A first line of this text.\nA second line, and it is a long one indeed.',
    'A second line, and it is a long one indeed.\nA third.',
    'appended',
    'A first line of this text.\nA second line, and it is a long one indeed.\nA third.',
  ],
  [
    'the end of a long text again',
    `${'Each of these lines is new to all of us. '.repeat(3)}\nAnd the last line is a long one as well, as we see.`,
    'And the last line is a long one as well, as we see.',
    'identical',
  ],
  [
    'an edited middle',
    'Line one is here.\nLine two is here.\nLine three is here.',
    'Line one is here.\nLine two was edited.\nLine three is here.',
    'replaced',
  ],
  ['an edited sentence', 'I live in Paris. I like tea.', 'I live in Berlin. I like tea.', 'replaced'],
  [
    'an edited and longer whole',
    '# A\n\nFirst paragraph is here.\n\nSecond one too.',
    '# A\n\nFirst paragraph is here, changed.\n\nSecond one too.\n\nThird.',
    'replaced',
  ],
  [
    'a whole with less in it',
    'Line one is here.\nLine two is here.\nLine three is here.',
    'Line one is here.\nLine three is here.',
    'replaced',
  ],
  [
    'an edit in one long line',
    `{"a":${'1,2,3,'.repeat(100)}"x":1}`,
    `{"a":${'1,2,3,'.repeat(100)}"x":2}`,
    'replaced',
  ],
  ['disjoint text', 'The museum opened in 1924.', 'Boats are kept on the ground floor.', 'appended'],
];

const conversations: Row[] = [
  [
    'the growing history, joined by lines that say nothing',
    'user: I want to go to Lisbon.\n---\nassistant: When?',
    'user: I want to go to Lisbon.\n---\nassistant: When?\n---\nuser: In May.',
    'superset',
  ],
  ['one new turn', LINES, 'assistant: In May?', 'appended', `${LINES}\nassistant: In May?`],
  ['the growing history, with a repeated "ok"', LINES, `${LINES}\nassistant: In May?\nuser: ok`, 'superset'],
  [
    'the growing history, with other line ends',
    LINES.replaceAll('\n', '\r\n'),
    `${LINES}\nassistant: In May?`,
    'superset',
  ],
  ['the same messages with blank lines between', LINES, LINES.replaceAll('\n', '\n\n'), 'identical', LINES],
  [
    'an "ok" that occurs earlier',
    'user: ok\nassistant: Shall I book the hotel for you?',
    'user: ok',
    'appended',
    'user: ok\nassistant: Shall I book the hotel for you?\nuser: ok',
  ],
  ['an "ok" that was also the last word', LINES, 'user: ok', 'appended', `${LINES}\nuser: ok`],
  [
    'the last message and its answer',
    LINES,
    'user: ok\nassistant: In May?',
    'appended',
    `${LINES}\nassistant: In May?`,
  ],
  ['the last messages again', LINES, 'assistant: When?\nuser: ok', 'identical', LINES],
  [
    'an earlier state that arrives late',
    LINES,
    'user: I want to go to Lisbon.\nassistant: When?',
    'identical',
    LINES,
  ],
  ['an edited middle', LINES, LINES.replace('When?', 'At what time of the year?'), 'replaced'],
  [
    'disjoint turns',
    LINES,
    'user: Something else entirely.\nassistant: Yes?',
    'appended',
    `${LINES}\nuser: Something else entirely.\nassistant: Yes?`,
  ],
  [
    'turns after a blank line each',
    LINES.replaceAll('\n', '\n\n'),
    'assistant: In May?',
    'appended',
    `${LINES.replaceAll('\n', '\n\n')}\n\nassistant: In May?`,
  ],
  [
    'labels of another style',
    LINES,
    '**User:** Hi again.\n\n**Assistant:** Hello.',
    'appended',
    `${LINES}\nuser: Hi again.\nassistant: Hello.`,
  ],
  ['JSON for lines', LINES, json(...MORE), 'appended', `${LINES}\nassistant: In May?\nuser: ok`],
  [
    'a text for a chat, which its user says',
    LINES,
    'I am vegetarian.',
    'appended',
    `${LINES}\nuser: I am vegetarian.`,
  ],
  [
    'the history without its heading',
    `Date: 8 May 2023\n${LINES}`,
    `${LINES}\nassistant: In May?`,
    'appended',
    `Date: 8 May 2023\n${LINES}\nassistant: In May?`,
  ],
  [
    'a line of someone known',
    'Ana: Are we on?\nBen: You bet!\nAna: fine',
    'Ben: bring cake',
    'appended',
    'Ana: Are we on?\nBen: You bet!\nAna: fine\nBen: bring cake',
  ],
  [
    'ChatML',
    '<|im_start|>user\nHi there<|im_end|>',
    '<|im_start|>assistant\nHello<|im_end|>',
    'appended',
    '<|im_start|>user\nHi there<|im_end|>\n<|im_start|>assistant\nHello<|im_end|>',
  ],
  [
    'start marks, of which each part names its time',
    '<|turn_start|>2026-03-04T18:00:00Z\n\n<|start|>user<|message|>I want to go to Lisbon.<|end|>\n\n<|turn_end|>',
    '<|turn_start|>2026-03-05T18:00:00Z\n\n<|start|>assistant<|message|>When?<|end|>\n\n<|turn_end|>',
    'appended',
    '<|turn_start|>2026-03-04T18:00:00Z\n\n<|start|>user<|message|>I want to go to Lisbon.<|end|>\n\n<|turn_end|>\n<|turn_start|>2026-03-05T18:00:00Z\n\n<|start|>assistant<|message|>When?<|end|>\n\n<|turn_end|>',
  ],
  [
    'numbered brackets that begin again',
    '[Session 7]\n1. [user] I want to go to Lisbon.\n2. [assistant] When?',
    '[Session 7]\n1. [user] In May.',
    'appended',
    '[Session 7]\n1. [user] I want to go to Lisbon.\n2. [assistant] When?\n[Session 7]\n1. [user] In May.',
  ],
  [
    'a single bracket, which alone is no conversation',
    '[user] I want to go to Lisbon.\n[assistant] When?',
    '[user] ok',
    'appended',
    '[user] I want to go to Lisbon.\n[assistant] When?\n[user] ok',
  ],
  [
    'a message for elements',
    '<user>I want to go to Lisbon.</user>\n<assistant>When?</assistant>',
    'user: In May.\nassistant: Fine.',
    'appended',
    '<user>I want to go to Lisbon.</user>\n<assistant>When?</assistant>\n<user>In May.</user>\n<assistant>Fine.</assistant>',
  ],
  [
    'numbered brackets for role brackets that were cut off',
    '[role: user]\nI want to go to Lisbon.\n[user:end]\n\n[role: assistant]\nWh',
    '[Session 7]\n1. [user] In May.',
    'appended',
    '[role: user]\nI want to go to Lisbon.\n[user:end]\n\n[role: assistant]\nWh\n\n[role: user]\nIn May.\n[user:end]',
  ],
  [
    'plain text for numbered brackets',
    '1. [user] I want to go to Lisbon.\n2. [assistant] When?',
    'I am vegetarian.',
    'appended',
    '1. [user] I want to go to Lisbon.\n2. [assistant] When?\n3. [user] I am vegetarian.',
  ],
  [
    'equal words at another time',
    '[2026-03-01, 14:03] Ana: I am at the harbour now.\n[2026-03-01, 14:04] Ben: ok then\n[2026-03-01, 14:05] Ana: I am at the harbour now.',
    '[2026-03-01, 15:05] Ana: I am at the harbour now.\n[2026-03-01, 15:06] Ben: again?',
    'appended',
  ],
];

const jsonRows: Row[] = [
  ['the growing list', JSON_LIST, json(...MESSAGES, ...MORE), 'superset'],
  ['new messages', JSON_LIST, json(...MORE), 'appended', json(...MESSAGES, ...MORE)],
  [
    'the last message and more',
    JSON_LIST,
    json(message('user', 'ok'), ...MORE),
    'appended',
    json(...MESSAGES, ...MORE),
  ],
  ['the list written in another way', JSON_LIST, JSON.stringify(MESSAGES, null, 2), 'identical', JSON_LIST],
  [
    'new messages for a stringified list',
    JSON.stringify(JSON_LIST),
    json(...MORE),
    'appended',
    JSON.stringify(json(...MESSAGES, ...MORE)),
  ],
  [
    'new messages for a list after plain text',
    `Date: 8 May 2023\n${JSON_LIST}`,
    json(...MORE),
    'appended',
    `Date: 8 May 2023\n${json(...MESSAGES, ...MORE)}`,
  ],
  [
    'new messages for an object',
    JSON.stringify({ id: 7, messages: MESSAGES, model: 'm' }),
    JSON.stringify({ messages: MORE }),
    'appended',
    JSON.stringify({ id: 7, messages: [...MESSAGES, ...MORE], model: 'm' }),
  ],
  ['lines', JSON_LIST, 'assistant: In May?\nuser: ok', 'appended', json(...MESSAGES, ...MORE)],
  [
    'plain text',
    JSON_LIST,
    'I am vegetarian.',
    'appended',
    json(...MESSAGES, message('user', 'I am vegetarian.')),
  ],
  [
    'a line of JSON for lines of JSON',
    MESSAGES.map((one) => JSON.stringify(one)).join('\n'),
    JSON.stringify(MORE[0]),
    'appended',
    [...MESSAGES, MORE[0]].map((one) => JSON.stringify(one)).join('\n'),
  ],
  [
    'a changed system prompt',
    json(message('system', 'Today is Monday.'), ...MESSAGES),
    json(message('system', 'Today is Tuesday.'), ...MESSAGES, ...MORE),
    'replaced',
  ],
  [
    'a window that slides, under the same system prompt',
    json(message('system', 'Be kind.'), ...MESSAGES),
    json(message('system', 'Be kind.'), ...MESSAGES.slice(1), ...MORE),
    'appended',
    json(message('system', 'Be kind.'), ...MESSAGES, ...MORE),
  ],
];

describe('a submission under a known customId', () => {
  const check = (_name: string, stored: string, incoming: string, decision: Decision, text?: string) => {
    const expected = text ?? (decision === 'superset' || decision === 'replaced' ? incoming : undefined);
    const merged = mergeTexts(stored, incoming);
    expect(merged).toEqual({ decision, text: expected ?? merged.text });
  };
  test.each(texts)('merges a text: %s', check);
  test.each(conversations)('merges a conversation: %s', check);
  test.each(jsonRows)('merges a JSON conversation: %s', check);

  it('keeps the numbers and fields of the messages unchanged', () => {
    const stored = '[{"id": 12345678901234567890, "role": "user", "content": "Hi there"}]';
    const incoming = '[{"role":"assistant","content":"Hello", "id": 98765432109876543210}]';
    expect(mergeTexts(stored, incoming).text).toBe(
      '[{"id": 12345678901234567890, "role": "user", "content": "Hi there"},{"role":"assistant","content":"Hello", "id": 98765432109876543210}]',
    );
  });
});

describe('a conversation with marks around its messages', () => {
  const turns = [
    { role: 'user' as const, text: 'I want to go to Lisbon.' },
    { role: 'assistant' as const, text: 'When?' },
    { role: 'user' as const, text: 'ok' },
    { role: 'assistant' as const, text: 'In May?' },
    { role: 'user' as const, text: 'ok' },
  ];

  test.each(MARKED_FORMS.map((form) => [form.name, form] as const))(
    'is compared message by message: %s',
    (_name, form) => {
      const written = (from: number, to: number) =>
        turns
          .slice(from, to)
          .map((turn, i) => form.write(turn, from + i + 1))
          .join('\n');
      const stored = written(0, 3);
      const whole = written(0, 5);
      const asLines = turns.map(({ role, text }) => `${role}: ${text}`).join('\n');
      expect(mergeTexts(stored, whole).decision).toBe('superset');
      expect(mergeTexts(stored, asLines).decision).toBe('superset');
      expect(mergeTexts(whole, asLines).decision).toBe('identical');
      expect(mergeTexts(stored, written(3, 5))).toEqual({ decision: 'appended', text: whole });
      expect(mergeTexts(stored, 'assistant: In May?\nuser: ok')).toEqual({
        decision: 'appended',
        text: whole,
      });
      const edited = mergeTexts(whole, whole.replace('In May?', 'In June, maybe?'));
      expect(edited.decision).toBe('replaced');
    },
  );
});
