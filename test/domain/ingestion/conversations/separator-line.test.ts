// Tests of the separator lines between messages, which belong to no message.
import { describe, expect, test } from 'vitest';
import { parseConversation } from '../fixtures/parse-conversation.ts';

const HI = [
  { role: 'user', text: 'Hi there' },
  { role: 'assistant', text: 'Hello' },
];

const written: [what: string, messages: string[]][] = [
  ['labelled lines', ['user: Hi there', 'assistant: Hello']],
  ['a chat template', ['<|im_start|>user\nHi there<|im_end|>', '<|im_start|>assistant\nHello<|im_end|>']],
  ['JSON', ['{"role":"user","content":"Hi there"}', '{"role":"assistant","content":"Hello"}']],
];

describe('a separator line', () => {
  test.each(written)('of %s is left out between messages', (_what, messages) => {
    for (const line of ['---', '***', '=====', ' ---- '])
      for (const join of [`\n${line}\n`, `\n\n${line}\n\n`])
        expect(parseConversation(messages.join(join)), join).toEqual(HI);
  });
});

test('is kept within a message, as a message of its own, and at the very end', () => {
  const said = (text: string) => parseConversation(text)?.map((turn) => turn.text);
  expect(said('user: above\n---\nbelow\nassistant: ok')).toEqual(['above\n---\nbelow', 'ok']);
  expect(said('user: ---\nassistant: ok')).toEqual(['---', 'ok']);
  expect(said('user: one\nassistant: the end\n---')).toEqual(['one', 'the end\n---']);
});
