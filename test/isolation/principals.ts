// Every kind of principal of one side: scoped keys, tokens of connected programs, keys of plugins.
import type { TestMemoir } from '../support/memoir.ts';
import { choice, connect, jsonOf, register } from '../support/oauth.ts';
import type { Attacker } from './attempts.ts';
import { mint, type Party } from './parties.ts';

type Rights = Pick<Attacker, 'permission' | 'tags'>;

const describeRights = ({ permission, tags }: Rights): string =>
  `to ${permission} ${tags.length} of its tags`;

const keyAttacker = async (memoir: TestMemoir, rights: Rights): Promise<Attacker> => {
  const { key } = await mint(memoir, { containerTags: rights.tags, permission: rights.permission });
  return { kind: 'key', name: `a key ${describeRights(rights)}`, key, ...rights };
};

const pluginAttacker = async (memoir: TestMemoir, rights: Rights): Promise<Attacker> => {
  const request = { containerTags: rights.tags, permission: rights.permission, pluginId: 'cursor' };
  const { key } = await mint(memoir, request);
  return { kind: 'plugin', name: `the key of a plugin ${describeRights(rights)}`, key, ...rights };
};

/** Through the page, as a person lets a program in. */
const tokenAttacker = async (memoir: TestMemoir, party: Party, rights: Rights): Promise<Attacker> => {
  const { client_id: clientId = '' } = await jsonOf(await register(memoir));
  const program = await connect(memoir, clientId);
  const { access_token: key } = await program.tokens(party.key, choice(rights.permission, rights.tags));
  if (key === undefined) throw new Error('A program was not let in.');
  return { kind: 'token', name: `the token of a program ${describeRights(rights)}`, key, ...rights };
};

export const principalsOf = async (memoir: TestMemoir, party: Party): Promise<Attacker[]> => {
  const [one, both] = [party.tags.slice(0, 1), [...party.tags]];
  return Promise.all([
    ...[one, both].flatMap((tags) =>
      (['read', 'write'] as const).map((permission) => keyAttacker(memoir, { permission, tags })),
    ),
    tokenAttacker(memoir, party, { permission: 'write', tags: one }),
    tokenAttacker(memoir, party, { permission: 'read', tags: both }),
    pluginAttacker(memoir, { permission: 'write', tags: both }),
    pluginAttacker(memoir, { permission: 'read', tags: one }),
  ]);
};
