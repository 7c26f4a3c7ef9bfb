// The same calls made by the owner: they must succeed, or the attempts would prove nothing.

import type { Operation } from '../../tools/operation.ts';
import { isManaging } from '../support/managing.ts';
import type { TestMemoir } from '../support/memoir.ts';
import type { Attack, Cast } from './attacks/attack.ts';
import { secretsIn, shows } from './attempts.ts';
import { importMany, openParty, type Party, stateOf } from './parties.ts';
import type { Chance } from './secrets.ts';
import type { Door, Input } from './ways.ts';

export interface Control {
  operation: Operation;
  attack: Attack;
}

/** The owner in both parts: what was a foreign tag is one of its own. */
const castOf = (theirs: Party, chance: Chance): Cast => ({
  own: { tags: theirs.tags, document: () => ({ id: theirs.documents[0]?.id ?? '' }) },
  theirs,
  target: chance.pick(theirs.documents.slice(0, 3)),
  tag: theirs.tags[0],
  chance,
});

/** Keys are managed with a full key alone. */
const keyFor = ({ operation }: Control, memoir: TestMemoir, owner: Party): string =>
  isManaging(operation) ? memoir.key : owner.key;

export interface Controls {
  memoir: TestMemoir;
  door: Door;
  chance: Chance;
  /** For calls that change nothing. */
  lasting: Party;
}

const explain = ({ operation, attack }: Control, what: string, input: Input, answer: string): string[] => [
  `${operation.name} ${attack.how}, by the owner: ${what}\n    ${JSON.stringify(input)}\n    ${answer}`,
];

const changes = async ({ memoir, door, chance }: Controls, control: Control): Promise<string[]> => {
  const owner = await openParty(memoir, chance);
  const before = JSON.stringify(await stateOf(memoir, owner));
  const input = control.attack.input(castOf(owner, chance));
  const heard = await door(control.operation, input, keyFor(control, memoir, owner), chance.below(1_000));
  if (heard.status >= 300) return explain(control, `gets ${heard.status}`, input, heard.text);
  await memoir.idle();
  const after = JSON.stringify(await stateOf(memoir, owner));
  return before === after ? explain(control, 'changes nothing', input, heard.text) : [];
};

const reads = async ({ memoir, door, chance, lasting }: Controls, control: Control): Promise<string[]> => {
  const owner = control.attack.duringImport ? await importMany(memoir, lasting, chance, 100) : lasting;
  const input = control.attack.input(castOf(owner, chance));
  const heard = await door(control.operation, input, keyFor(control, memoir, owner), chance.below(1_000));
  if (heard.status >= 300) return explain(control, `gets ${heard.status}`, input, heard.text);
  const seen = secretsIn(heard, {}, owner.secrets).length > 0;
  return shows(control) === 'secret' && !seen
    ? explain(control, 'shows nothing of its own', input, heard.text)
    : [];
};

/** The errors of the owner's own call; empty if it succeeded. */
export const runControl = (controls: Controls, control: Control): Promise<string[]> => {
  const wanted = shows(control);
  if (wanted === 'nothing') return Promise.resolve([]);
  return wanted === 'change' ? changes(controls, control) : reads(controls, control);
};
