// The parties of the test: each has tags, documents full of secrets, and a key that may use nothing else.
import { createHash } from 'node:crypto';
import { fileOf, postForm } from '../rest/support/upload.ts';
import type { TestMemoir } from '../support/memoir.ts';
import { storedRows } from '../support/stored-rows.ts';
import type { Chance } from './secrets.ts';

export interface PartyDocument {
  id: string;
  customId: string;
  content: string;
  /** The query that finds exactly this document; empty if it has no words of its own. */
  word: string;
  title: string;
  filepath: string;
  endUserId: string;
  tags: readonly string[];
  /** Sent as a file. */
  uploaded?: true;
}

export interface PartyMemory {
  id: string;
  content: string;
  tags: readonly string[];
}

export interface Party {
  /** Two. */
  tags: readonly [string, string];
  documents: readonly PartyDocument[];
  /** Created directly; the last one is a guess that waits for a review. */
  memories: readonly PartyMemory[];
  /** May read and write under both tags. */
  key: string;
  keyId: string;
  /** The grants that it gave to a program. */
  grantId: string;
  /** Every text that no other party may see. */
  secrets: readonly string[];
}

/** Under this customId every party has a document. */
export const COMMON_CUSTOM_ID = 'meeting-notes';
/** Every party has a document with exactly this content. */
export const COMMON_CONTENT = 'The board meets every second Monday in the room above the library.';
/** Every party has a memory that says exactly this. */
export const COMMON_STATEMENT = 'The board meets every second Monday.';
/** Every party's documents carry these metadata, so that a filter can ask for them. */
const COMMON_METADATA = { kind: 'vault', level: 5 };

type Draft = Omit<PartyDocument, 'id'>;

const contents = (word: string): string[] => [
  `The vault of the north office opens with the code ${word}. Two people hold it.`,
  `user: What is the code of the vault?\nassistant: The code of the vault is ${word}.\nuser: Thanks, I wrote it down.`,
  `# Vault\n\n## Codes\n\nThe code of the south office is ${word}.\n\n## People\n\nOnly the porter and ${word} know it.`,
];

const draft = (chance: Chance, content: string, word: string, tags: readonly string[]): Draft => ({
  customId: chance.secret(),
  content,
  word,
  title: `Codes ${chance.secret()}`,
  filepath: `/${chance.secret()}/codes.txt`,
  endUserId: chance.secret(),
  tags,
});

const draftsOf = (chance: Chance, [first, second]: Party['tags']): Draft[] => {
  const words = [chance.secret(), chance.secret(), chance.secret()];
  const tags = [[first], [first, second], [second]];
  const told = words.map((word, at) => draft(chance, contents(word)[at] ?? '', word, tags[at] ?? [first]));
  const host = chance.secret();
  return [
    ...told,
    { ...draft(chance, COMMON_CONTENT, '', [first]), customId: COMMON_CUSTOM_ID },
    // One that cannot be processed here, and so stays failed.
    draft(chance, `https://${host}.internal/plan`, host, [second]),
  ];
};

const uploadOf = (chance: Chance, [first]: Party['tags']): Draft => {
  const word = chance.secret();
  const content = `The plan of the third office, kept by ${word}, shows the way to the vault.`;
  return { ...draft(chance, content, word, [first]), uploaded: true };
};

const toAdd = ({ customId, content, title, filepath, endUserId, tags }: Draft) => ({
  content,
  customId,
  title,
  filepath,
  containerTags: tags,
  metadata: { ...COMMON_METADATA, endUserId },
  entityContext: `About ${endUserId}`,
});

/** Adds many at once and gives their ids. */
export const addAll = async (memoir: TestMemoir, key: string, documents: object[]): Promise<string[]> => {
  const { status, body } = await memoir.ask<{ results: { id: string }[]; failed: number }>(
    'POST',
    '/v3/documents/batch',
    { documents },
    { key },
  );
  if (status !== 200 || body.failed > 0) throw new Error(`A batch was refused: ${JSON.stringify(body)}`);
  return body.results.map(({ id }) => id);
};

const uploadAll = (memoir: TestMemoir, key: string, drafts: readonly Draft[]): Promise<string[]> =>
  Promise.all(
    drafts.map(async (one) => {
      const { content, metadata, containerTags, ...fields } = toAdd(one);
      const parts = Object.entries({ ...fields, containerTags: JSON.stringify(containerTags) });
      const file = ['file', fileOf(content), `${fields.customId}.txt`] as const;
      const form = [...parts, ['metadata', JSON.stringify(metadata)] as const, file];
      const { status, body } = await postForm({ ...memoir, key }, form);
      if (status !== 200) throw new Error(`A file was refused: ${JSON.stringify(body)}`);
      return body.id;
    }),
  );

/** The one of its documents that has a file. */
export const uploadedOf = ({ documents }: Party): PartyDocument => {
  const uploaded = documents.find((one) => one.uploaded);
  if (uploaded === undefined) throw new Error('This party has uploaded nothing.');
  return uploaded;
};

export interface Minted {
  id: string;
  key: string;
}

export const mint = async (memoir: TestMemoir, request: object, by = memoir.key): Promise<Minted> => {
  const { status, body } = await memoir.ask<Record<'id' | 'key', string>>(
    'POST',
    '/v3/auth/agent-key',
    { name: 'party', permission: 'write', rateLimitMax: 10_000, ...request },
    { key: by },
  );
  if (status !== 200) throw new Error(`A key was refused: ${JSON.stringify(body)}`);
  return body;
};

const grantTo = async ({ memoir }: TestMemoir, keyId: string, clientName: string): Promise<string> => {
  const { grants } = memoir.service.access;
  const holder = await grants.giver(keyId);
  if (holder === null) throw new Error('A key that was just made may not be used.');
  const share = { permission: 'write', tags: null, expiresInDays: 1 } as const;
  const client = { clientId: clientName, clientName, redirectHost: '127.0.0.1:4000' };
  return (await grants.give(holder, { ...share, ...client })).id;
};

// --- memories ----------------------------------------------------------------------------------------

/** Without a model no operation makes a guess, so one is marked where it is stored. */
const markAsGuess = async (memoir: TestMemoir, id: string): Promise<void> => {
  await storedRows(memoir, 'update memories set is_inference = 1 where id = ?', id);
};

interface Told {
  memories: PartyMemory[];
  /** The document that is their source. */
  source: string;
}

const tell = async (
  memoir: TestMemoir,
  key: string,
  tags: readonly string[],
  statements: readonly string[],
): Promise<Told> => {
  const { status, body } = await memoir.ask<{ documentId: string; memories: { id: string }[] }>(
    'POST',
    '/v4/memories',
    {
      containerTags: tags,
      memories: statements.map((content) => ({ content, metadata: COMMON_METADATA })),
    },
    { key },
  );
  if (status !== 201) throw new Error(`Memories were refused: ${JSON.stringify(body)}`);
  const memories = statements.map((content, at) => ({ id: body.memories[at]?.id ?? '', content, tags }));
  return { memories, source: body.documentId };
};

const tellAll = async (
  memoir: TestMemoir,
  key: string,
  chance: Chance,
  [first, second]: Party['tags'],
  also: readonly string[],
): Promise<{ memories: PartyMemory[]; ids: string[] }> => {
  const secret = (what: string) => `The code of the ${what} is ${chance.secret()}.`;
  const own = await tell(memoir, key, [first, ...also], [secret('vault'), COMMON_STATEMENT]);
  const both = await tell(memoir, key, [first, second, ...also], [secret('garage'), secret('archive')]);
  const memories = [...own.memories, ...both.memories];
  await markAsGuess(memoir, memories.at(-1)?.id ?? '');
  return { memories, ids: [...memories.map(({ id }) => id), own.source, both.source] };
};

const drawnIds = (document: Record<string, unknown>): string[] =>
  ((document.memories ?? []) as { id: string }[]).map(({ id }) => id);

const chunkIds = async (memoir: TestMemoir, id: string): Promise<string[]> => {
  const { body } = await memoir.ask<{ chunks: { id: string }[] }>('GET', `/v3/documents/${id}/chunks`);
  return body.chunks.map((chunk) => chunk.id);
};

/** Keeps every secret that is made through it. */
const recording = (chance: Chance): { chance: Chance; secrets: string[] } => {
  const secrets: string[] = [];
  const secret = () => {
    const made = chance.secret();
    secrets.push(made);
    return made;
  };
  return { chance: { ...chance, secret }, secrets };
};

/** A party whose documents are processed. With `also` they carry that tag as well, so others may read them. */
export const openParty = async (
  memoir: TestMemoir,
  by: Chance,
  also: readonly string[] = [],
): Promise<Party> => {
  const { chance, secrets } = recording(by);
  const tags: Party['tags'] = [`team_${chance.secret()}`, `${chance.secret()}/notes @日本語`];
  const { id: keyId, key } = await mint(memoir, { containerTags: tags, name: chance.secret() });
  const grantId = await grantTo(memoir, keyId, chance.secret());
  const withTheirs = (one: Draft): Draft => ({ ...one, tags: [...one.tags, ...also] });
  const written = draftsOf(chance, tags).map(withTheirs);
  const files = [uploadOf(chance, tags)].map(withTheirs);
  const writer = also.length === 0 ? key : memoir.key;
  const ids = [
    ...(await addAll(memoir, writer, written.map(toAdd))),
    ...(await uploadAll(memoir, writer, files)),
  ];
  const told = await tellAll(memoir, writer, chance, tags, also);
  const drawn = (await Promise.all(ids.map(memoir.remembered))).flatMap(drawnIds);
  const documents = [...written, ...files].map((one, at) => ({ ...one, id: ids[at] ?? '' }));
  const chunks = await Promise.all(ids.map((id) => chunkIds(memoir, id)));
  return {
    tags,
    documents,
    memories: told.memories,
    key,
    keyId,
    grantId,
    secrets: [...secrets, ...ids, ...told.ids, ...drawn, keyId, grantId, key, ...chunks.flat()],
  };
};

/** Comparing hundreds of statements with each other would take minutes, so that most documents ask. */
const telling = (secret: string, at: number): string =>
  at % 10 === 0 ? `The key number ${secret} hangs behind the door.` : `Where is the key number ${secret}?`;

/** As many more documents of a party, each with a secret of its own, that are being processed when this answers. */
export const importMany = async (
  memoir: TestMemoir,
  party: Party,
  by: Chance,
  count: number,
): Promise<Party> => {
  const { chance, secrets } = recording(by);
  const documents = Array.from({ length: count }, (_, at) => ({
    content: telling(chance.secret(), at),
    title: chance.secret(),
    containerTag: party.tags[0],
  }));
  await addAll(memoir, party.key, documents);
  return { ...party, secrets: [...party.secrets, ...secrets] };
};

// --- what it has ------------------------------------------------------------------------------------

const digest = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url');

const volatile = new Set(['timing', 'lastUsedAt']);

const asked = async (memoir: TestMemoir, key: string, method: string, path: string, body?: object) => {
  const answer = await memoir.ask(method, path, body, { key });
  const lasting = Object.entries(answer.body).filter(([name]) => !volatile.has(name));
  return { status: answer.status, body: Object.fromEntries(lasting) };
};

/** The digest of the original behind its link. */
const original = async (memoir: TestMemoir, party: Party): Promise<string> => {
  const path = `/v3/documents/${uploadedOf(party).id}/file-url`;
  const { body } = await memoir.ask<{ url?: string }>('GET', path, undefined, { key: party.key });
  return body.url === undefined ? 'no file' : digest(await (await fetch(body.url)).text());
};

/** No operation shows the context that a tag carries, so it is read where it is stored. */
const entityContexts = (memoir: TestMemoir, tags: readonly string[]): Promise<unknown[]> =>
  Promise.all(
    tags.map(
      async (tag) => (await storedRows(memoir, 'select entity_context from tags where tag = ?', tag))[0],
    ),
  );

/** All that the party sees with its own key: texts as digests, everything else as it is. */
export const stateOf = async (memoir: TestMemoir, party: Party): Promise<Record<string, unknown>> => {
  const ask = (method: string, path: string, body?: object) => asked(memoir, party.key, method, path, body);
  const documents = party.documents.map(async ({ id, word }) => {
    const read = await ask('GET', `/v3/documents/${id}`);
    const { content, ...described } = read.body;
    const chunks = await ask('GET', `/v3/documents/${id}/chunks`);
    const found = word === '' ? null : await ask('POST', '/v3/search', { q: word, searchMode: 'keyword' });
    return {
      status: read.status,
      content: digest(content),
      ...described,
      chunks: digest(chunks),
      found: digest(found),
    };
  });
  const list = await ask('POST', '/v3/documents/list', { limit: 1 });
  const memories = await ask('POST', '/v4/memories/list', { containerTags: party.tags, limit: 100 });
  const guesses = party.tags.map((tag) =>
    ask('GET', `/v3/container-tags/${encodeURIComponent(tag)}/inferred`),
  );
  return {
    documents: await Promise.all(documents),
    count: list.body.pagination,
    memories,
    guesses: await Promise.all(guesses),
    original: await original(memoir, party),
    session: await ask('GET', '/v3/session'),
    entityContexts: await entityContexts(memoir, party.tags),
  };
};
