// Tests of merging random submissions under one customId.
import { describe, expect, it } from 'vitest';
import { mergeTexts } from '../../../../server/domain/ingestion/resend/merge.ts';
import { cpuMs } from '../fixtures/cost.ts';
import { parseConversation } from '../fixtures/parse-conversation.ts';
import { type Random, randomOf, sentence } from '../fixtures/random.ts';

/** Two possible states of one content. */
function states(random: Random, parts: readonly string[], make: () => string): [string[], string[]] {
  const at = random.int(parts.length + 1);
  const added = Array.from({ length: random.int(4) }, make);
  return random.pick<() => [string[], string[]]>([
    () => [[...parts], [...parts, ...added]],
    () => [[...parts], added],
    () => [[...parts], [...parts.slice(at), ...added]],
    () => [[...parts], [...parts.slice(0, at), ...added, ...parts.slice(at)]],
    () => [[...parts], parts.slice(0, at)],
    () => [[...parts], [...added, ...parts]],
    () => [[...parts], parts.slice(at, at + 1)],
  ])();
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('merging any submissions', () => {
  it('loses no sentence, except of an edited whole', () => {
    for (let seed = 1; seed <= 600; seed++) {
      const random = randomOf(seed);
      const parts = Array.from({ length: 1 + random.int(8) }, () => sentence(random));
      const [stored, incoming] = states(random, parts, () => sentence(random));
      const glue = random.pick(['\n', '\n\n', '\r\n', ' ']);
      const merged = mergeTexts(stored.join(glue), incoming.join(glue));
      const held = plain(merged.text);
      const wanted = merged.decision === 'replaced' ? incoming : [...stored, ...incoming];
      expect({ seed, lost: wanted.filter((one) => !held.includes(plain(one))) }).toEqual({ seed, lost: [] });
    }
  });

  it('loses no message, except of an edited whole, and a conversation stays one', () => {
    const formats = [
      (turns: readonly string[]) => turns.join('\n'),
      (turns: readonly string[]) => turns.join('\n\n'),
      (turns: readonly string[]) => JSON.stringify(turns.map(asMessage)),
      (turns: readonly string[]) => JSON.stringify({ messages: turns.map(asMessage) }),
      (turns: readonly string[]) => turns.map((turn) => JSON.stringify(asMessage(turn))).join('\n'),
    ];
    for (let seed = 1; seed <= 600; seed++) {
      const random = randomOf(seed);
      const make = () =>
        `${random.pick(['user', 'assistant'])}: ${random.pick(['ok', 'yes', sentence(random), sentence(random)])}`;
      const parts = ['user: I would like to know.', ...Array.from({ length: random.int(8) }, make)];
      const [stored, incoming] = states(random, parts, make);
      const before = random.pick(formats)(stored);
      const after = random.pick(formats)(incoming);
      const merged = mergeTexts(before, after);
      const held = parseConversation(merged.text)?.map((turn) => `${turn.role}: ${plain(turn.text)}`) ?? [];
      const wanted = merged.decision === 'replaced' ? incoming : [...stored, ...incoming];
      const lost = wanted.map(plain).filter((turn) => !held.includes(turn));
      expect({ seed, before, after, lost }).toEqual({ seed, before, after, lost: [] });
    }
  });

  it('takes a time that depends on the size alone', () => {
    const size = 2 * 1024 * 1024;
    const pairs: [string, string][] = [
      ['a', 'aa'],
      ['a\n', 'b\n'],
      ['. ', '.'],
      ['[', '[{'],
      ['user: ok\n', 'user: ok\nuser: a\n'],
      ['"', '\\'],
    ];
    for (const [a, b] of pairs) {
      expect(
        cpuMs(() => void mergeTexts(`${a.repeat(size / a.length)}x`, b.repeat(size / b.length))),
      ).toBeLessThan(5_000);
    }
  }, 60_000);
});

function asMessage(turn: string): object {
  const colon = turn.indexOf(': ');
  return { role: turn.slice(0, colon), content: turn.slice(colon + 2) };
}
