// Every kind of principal of one side: scoped keys, tokens of connected programs, keys of plugins, members limited to its tags in
// person and in a browser, and keys that members made for themselves or for the organisation.
import { addMember } from '../rest/support/team.ts';
import type { TestMemoir } from '../support/memoir.ts';
import { choice, connect, jsonOf, register } from '../support/oauth.ts';
import type { Attacker } from './attempts.ts';
import { mint, type Party } from './parties.ts';
import { browserKey } from './ways.ts';

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

let members = 0;

const limitedMember = (memoir: TestMemoir, { permission, tags }: Rights) =>
  addMember(memoir, {
    email: `member-${++members}@example.org`,
    containerTags: tags.map((containerTag) => ({ containerTag, permission })),
  });

/** With the personal key of a member who is limited to the tags. */
const memberAttacker = async (memoir: TestMemoir, rights: Rights): Promise<Attacker> => {
  const { key } = await limitedMember(memoir, rights);
  return { kind: 'member', inPerson: true, name: `a member ${describeRights(rights)}`, key, ...rights };
};

const sessionAttacker = async (memoir: TestMemoir, rights: Rights): Promise<Attacker> => {
  const { key } = await limitedMember(memoir, rights);
  const answer = await fetch(`${memoir.url}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ key }),
  });
  const cookie = answer.headers.get('set-cookie')?.match(/=([\w-]+);/)?.[1];
  if (cookie === undefined) throw new Error(`A member was not signed in: ${answer.status}`);
  const name = `the browser of a member ${describeRights(rights)}`;
  return { kind: 'session', inPerson: true, name, key: browserKey(cookie), ...rights };
};

/** A key that a member has made; the member may use every tag, so that the key alone is the limit. */
const madeKeyAttacker = async (
  memoir: TestMemoir,
  kind: 'personal' | 'service',
  rights: Rights,
): Promise<Attacker> => {
  const role = kind === 'service' ? 'admin' : 'member';
  const maker = await addMember(memoir, { email: `maker-${++members}@example.org`, role });
  const request = { containerTags: rights.tags, permission: rights.permission, kind };
  const { key } = await mint(memoir, request, maker.key);
  return { kind, name: `a ${kind} key of a member ${describeRights(rights)}`, key, ...rights };
};

/** A member in person makes at most 500 calls a minute, so that two of the same rights take turns. */
const takingTurns = async (openings: readonly Promise<Attacker>[]): Promise<Attacker> => {
  const [first, ...others] = await Promise.all(openings);
  if (first === undefined) throw new Error('Nobody attacks.');
  const keys = [first, ...others].map(({ key }) => key);
  let calls = 0;
  return {
    ...first,
    get key() {
      return keys[calls++ % keys.length] ?? first.key;
    },
  };
};

const twice = (open: () => Promise<Attacker>): Promise<Attacker> => takingTurns([open(), open()]);

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
    twice(() => memberAttacker(memoir, { permission: 'write', tags: one })),
    twice(() => sessionAttacker(memoir, { permission: 'write', tags: both })),
    madeKeyAttacker(memoir, 'personal', { permission: 'write', tags: one }),
    madeKeyAttacker(memoir, 'service', { permission: 'write', tags: both }),
  ]);
};
