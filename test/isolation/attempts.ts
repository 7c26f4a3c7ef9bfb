// Makes the attempts and judges their answers.

import type { Operation } from '../../tools/operation.ts';
import { attacked, attacks } from './attacks/all.ts';
import type { Attack, Cast, Shows } from './attacks/attack.ts';
import type { Party } from './parties.ts';
import type { Chance } from './secrets.ts';
import type { Door, Heard, Input } from './ways.ts';

export const attackerKinds = ['key', 'token', 'plugin', 'member', 'session', 'personal', 'service'] as const;

/** A principal of the attacker's side. */
export interface Attacker {
  kind: (typeof attackerKinds)[number];
  /** It manages what is its own: keys, programs and sessions. */
  inPerson?: true;
  name: string;
  key: string;
  permission: 'read' | 'write';
  tags: readonly string[];
}

export interface Attempt {
  operation: Operation;
  attack: Attack;
  attacker: Attacker;
  input: Input;
  variant: number;
  /** It may read what it attacks, and must not change it. */
  shared: boolean;
}

/** Every attack of every operation. */
export const everyAttack = (): { operation: Operation; attack: Attack }[] =>
  attacked.flatMap((operation) => (attacks[operation.name] ?? []).map((attack) => ({ operation, attack })));

export interface Plan {
  attackers: readonly Attacker[];
  victims: readonly Party[];
  /** True if the attackers may read the data of the victims. */
  shared: boolean;
  document: () => { id: string };
  chance: Chance;
}

/** One round: every attack with every key, against a document of a victim that chance picks. */
export const attemptsOf = ({ attackers, victims, shared, document, chance }: Plan): Attempt[] =>
  everyAttack().flatMap(({ operation, attack }) =>
    attackers.map((attacker) => {
      const theirs = chance.pick(victims);
      const cast: Cast = {
        own: { tags: attacker.tags, document },
        theirs,
        target: chance.pick(theirs.documents),
        tag: chance.pick(theirs.tags),
        chance,
      };
      return { operation, attack, attacker, input: attack.input(cast), variant: chance.below(1_000), shared };
    }),
  );

const describeAttempt = ({ operation, attack, attacker }: Attempt): string =>
  `${operation.name} ${attack.how}, with ${attacker.name}`;

// --- what came back ---------------------------------------------------------------------------------

/** Names that the caller sent itself; an answer may say them again. Never what it searched for. */
const named = new Set([
  ...['id', 'ids', 'docId', 'customId', 'containerTag', 'containerTags', 'explainId'],
  ...['memoryId', 'conversationId', 'replaces', 'name', 'projectId', 'targetProjectId'],
  ...['namespace', 'moveTo'],
]);

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.flatMap(textsIn) : [];

const namesIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        named.has(key) ? textsIn(inner) : [inner].flat().flatMap(namesIn),
      );

const withoutEchoes = (heard: Pick<Heard, 'text'>, input: Input): string =>
  namesIn(input)
    .sort((a, b) => b.length - a.length)
    .reduce((text, name) => text.replaceAll(JSON.stringify(name).slice(1, -1), ''), heard.text);

/** The secrets in an answer, without the names in the request. */
export const secretsIn = (heard: Pick<Heard, 'text'>, input: Input, secrets: readonly string[]): string[] => {
  const text = withoutEchoes(heard, input).toLowerCase();
  return secrets.filter((secret) => text.includes(secret.toLowerCase()));
};

/** A member may manage what is its own, so such a call may be answered; it must show and change nothing of others. */
const isOwnAccount = ({ operation, attacker }: Attempt): boolean =>
  operation.reaches === 'account' && attacker.inPerson === true;

const refusalOf = ({ operation, attack, attacker, shared }: Attempt): number | undefined => {
  if (operation.permission === 'write' && attacker.permission === 'read') return 403;
  // A reader of a document finds it by its customId, and gets an error that it may not be changed.
  const isFound = shared && attack.shows !== 'nothing' && attack.refusedAlike !== true;
  return isFound && attack.refused === 404 ? 403 : attack.refused;
};

/** The errors in the answer to an attempt; empty if there are none. */
export const judge = (attempt: Attempt, heard: Heard, secrets: readonly string[]): string[] => {
  const refusal = isOwnAccount(attempt) ? undefined : refusalOf(attempt);
  const shown = secretsIn(heard, attempt.input, secrets);
  const wrong = [
    ...(shown.length > 0 ? [`shows ${shown.join(', ')}`] : []),
    ...(heard.status >= 500 ? [`fails with ${heard.status}`] : []),
    ...(refusal !== undefined && heard.status !== refusal
      ? [`gets ${heard.status} instead of ${refusal}`]
      : []),
    // A refusal would reveal a foreign item, where the attacker's own items may be returned.
    ...(refusal === undefined &&
    !attempt.shared &&
    !isOwnAccount(attempt) &&
    (heard.status === 403 || heard.status === 404)
      ? [`is refused with ${heard.status}`]
      : []),
  ];
  return wrong.map(
    (what) => `${describeAttempt(attempt)}: ${what}\n    ${JSON.stringify(attempt.input)}\n    ${heard.text}`,
  );
};

export const attempt = (door: Door, { operation, input, attacker, variant }: Attempt): Promise<Heard> =>
  door(operation, input, attacker.key, variant);

/** The required result of the owner's own call. */
export const shows = ({ operation, attack }: Pick<Attempt, 'operation' | 'attack'>): Shows =>
  attack.shows ?? (operation.permission === 'read' ? 'secret' : 'change');
