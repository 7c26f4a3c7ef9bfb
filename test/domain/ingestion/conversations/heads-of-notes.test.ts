// Tests that what heads a note is no speaker.
import { expect, test } from 'vitest';
import { parseConversation } from '../fixtures/parse-conversation.ts';

const NOTE = 'my locker is 44, and I am allergic to kiwi.';

const heads = [
  'Remember',
  'Please remember',
  'Don’t forget',
  'Update',
  'Correction',
  'FYI',
  'Heads up',
  'PS',
];
const elsewhere = ['Merke', 'Recuerda', 'Rappel', 'Promemoria', 'Lembrete', 'Onthoud'];

test.each([...heads, 'Preference', 'Fact', 'Health', ...elsewhere])(
  'a note that is handed over with "%s:" is no remark',
  (head) => expect(parseConversation(`${head}: ${NOTE}`)).toBeNull(),
);

test('a remark of somebody with a name is one', () =>
  expect(parseConversation(`Mum: ${NOTE}`)).toMatchObject([{ speaker: 'Mum' }]));
