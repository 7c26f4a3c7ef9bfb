// Memories that the service draws from content by itself, without a model.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { create, listMemories, readForMemories, recalled, remembered } from './support/tell.ts';
import { upload } from './support/upload.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

describe('content that is added', () => {
  verifies(
    'memories:extract:automatic',
    'content that is added yields memories that nobody wrote',
    async () => {
      const tag = api.newTag();
      const id = await readForMemories(api, tag, 'user: My name is Ada. I live in Ghent.');
      expect(await remembered(api, tag)).toContain('Ada lives in Ghent');
      const { memoryEntries } = await listMemories(api, tag);
      for (const { documentIds } of memoryEntries) expect(documentIds).toEqual([id]);
      expect(await recalled(api, tag, 'Where does Ada live?')).toContain('Ada lives in Ghent');
    },
  );

  verifies(
    'documents:add:entity-context-guides',
    'content that is added is read with what was said about its container tag, and the other tags are not',
    async () => {
      const [told, untold] = [api.newTag(), api.newTag()];
      const content = 'user: I work at Siemens.';
      await readForMemories(api, told, content, { entityContext: 'The user is Anna, a nurse.' });
      await readForMemories(api, untold, content);
      expect(await remembered(api, told)).toEqual(['Anna works at Siemens']);
      expect(await remembered(api, untold)).toEqual(['The user works at Siemens']);
    },
  );

  verifies(
    'documents:batch:document-date',
    'content that is added counts its days from the date on which it was written',
    async () => {
      const tag = api.newTag();
      const content = 'user: I moved to York yesterday.';
      const documents = [{ content, documentDate: '2023-05-10T12:00:00Z' }];
      const { status, body } = await api.ask<{ results: { id: string }[] }>('POST', '/v3/documents/batch', {
        documents,
        containerTag: tag,
      });
      expect(status).toBe(200);
      await api.memoir.remembered(body.results[0]?.id ?? '');
      const { memoryEntries } = await listMemories(api, tag);
      expect(memoryEntries).toMatchObject([
        {
          memory: expect.stringMatching(/York.*9 May 2023/),
          temporalContext: {
            documentDate: '2023-05-10T12:00:00.000Z',
            eventDate: ['2023-05-09T00:00:00.000Z'],
          },
        },
      ]);
    },
  );
});

describe('a later conversation', () => {
  verifies('memories:parts:apart', 'changes one part of a statement and leaves the other', async () => {
    const tag = api.newTag();
    const before =
      "user: I'm vegetarian but the rest of the family eats meat.\nuser: I have two cats, Miso and Ravi.";
    await readForMemories(api, tag, before);
    await readForMemories(api, tag, 'user: I started eating fish again.\nuser: Ravi died on Sunday.');
    const { memoryEntries } = await listMemories(api, tag);
    const current = memoryEntries.filter(({ isLatest }) => isLatest).map(({ memory }) => memory);
    expect(current).toEqual(
      expect.arrayContaining([
        "The rest of the user's family eats meat",
        'The user started eating fish again',
        'The user has two cats, Miso and Ravi',
      ]),
    );
    expect(current).not.toContain('The user is vegetarian');
  });

  verifies('memories:pronouns:one-person', 'names whom its pronouns mean, if only one can be', async () => {
    const [one, two] = [api.newTag(), api.newTag()];
    const answer = 'assistant: Noted.\nuser: He works as a carpenter.';
    await readForMemories(api, one, `user: My brother Tom is visiting.\n${answer}`);
    expect(await remembered(api, one)).toContain("The user's brother Tom works as a carpenter");
    await readForMemories(api, two, `user: My brother Tom met my cousin Jan in Rome.\n${answer}`);
    expect((await remembered(api, two)).join()).not.toMatch(/(?:Tom|Jan) works as a carpenter/);
  });

  verifies(
    'memories:denials:earlier',
    'denies what an earlier one said, and gives the right value',
    async () => {
      const tag = api.newTag();
      await readForMemories(api, tag, 'user: My daughter Mila is allergic to dairy.');
      await readForMemories(api, tag, "user: Mila's test came back, it isn't dairy after all, it's egg.");
      const { memoryEntries } = await listMemories(api, tag);
      const current = memoryEntries.filter(({ isLatest }) => isLatest).map(({ memory }) => memory);
      expect(current).toEqual(["The user's daughter Mila is allergic to egg"]);
    },
  );
});

describe('content without a date', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const monthOf = (ms: number) =>
    new Date(ms).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

  verifies(
    'memories:extract:undated',
    'a text that is sent without a date counts its days from its arrival, and has no date of its own',
    async () => {
      const tag = api.newTag();
      const before = monthOf(Date.now() - DAY_MS);
      await readForMemories(api, tag, 'Anna: I moved to Lisbon yesterday.');
      await readForMemories(api, tag, 'Anna: I stay with Rosa for the next ten days.');
      const { memoryEntries } = await listMemories(api, tag);
      const move = memoryEntries.find(({ memory }) => memory.includes('Lisbon'));
      const stay = memoryEntries.find(({ memory }) => memory.includes('Rosa'));
      expect(move?.memory).toMatch(/^Anna moved to Lisbon on \d+ \w+ \d{4}$/);
      expect(move?.memory).toContain(before);
      expect(move?.temporalContext?.documentDate).toBeNull();
      const end = Date.parse(stay?.forgetAfter ?? '') - Date.now();
      expect(end).toBeGreaterThan(9 * DAY_MS);
      expect(end).toBeLessThan(12 * DAY_MS);
    },
  );

  verifies(
    'memories:extract:undated',
    'a file without a date keeps its relative days, because it may be old',
    async () => {
      const tag = api.newTag();
      const { id } = await upload(api, 'Anna moved to Lisbon yesterday.', 'note.txt', { containerTag: tag });
      await api.memoir.remembered(id);
      expect(await remembered(api, tag)).toEqual(['Anna moved to Lisbon yesterday']);
    },
  );
});

verifies(
  'documents:add:temporal-context',
  'metadata may not be nested, but the temporalContext that the service writes into it is',
  async () => {
    const tag = api.newTag();
    const nested = { content: 'One.', containerTag: tag, metadata: { place: { town: 'Ghent' } } };
    const refused = await api.ask<Refusal>('POST', '/v3/documents', nested);
    expect([refused.status, refused.body.details ?? refused.body.error]).toEqual([
      400,
      expect.stringContaining('metadata'),
    ]);
    await create(api, tag, [
      { content: 'Ada moves.', metadata: { kind: 'x' }, temporalContext: { documentDate: '2026-03-01' } },
    ]);
    const { memoryEntries } = await listMemories(api, tag);
    expect(memoryEntries[0]?.metadata).toEqual({
      kind: 'x',
      temporalContext: expect.objectContaining({ documentDate: '2026-03-01T00:00:00.000Z' }),
    });
  },
);
