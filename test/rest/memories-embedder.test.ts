// Memories that are created while the embedder is at fault.
import { expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { listMemories, PATH, recalled, remembered, tell } from './support/tell.ts';
import { useEmbeddings } from './support/use-embeddings.ts';
import { type Refusal, useOwnMemoir } from './support/use-memoir.ts';

const embeddings = useEmbeddings();
const api = useOwnMemoir(embeddings.env);

verifies('memories:create:embedder-silent', 'a memory is stored with its vector or not at all', async () => {
  const tag = api.newTag();
  const body = { containerTag: tag, memories: [{ content: 'Ada prefers tea.' }] };
  embeddings.refuseNext('Ada prefers tea');
  const refused = await api.ask<Refusal>('POST', PATH, body);
  expect([refused.status, refused.body.error]).toEqual([503, expect.stringContaining('Nothing was stored')]);
  expect((await listMemories(api, tag)).memoryEntries).toEqual([]);
  expect((await api.list({ containerTags: [tag] })).pagination.totalItems).toBe(0);
  const { id } = await tell(api, tag, 'Ada prefers tea.');
  embeddings.refuseNext('Ada prefers coffee');
  const update = { containerTag: tag, id, newContent: 'Ada prefers coffee.' };
  expect((await api.ask('PATCH', PATH, update)).status).toBe(503);
  expect(await remembered(api, tag)).toEqual(['Ada prefers tea.']);
  expect((await api.ask('PATCH', PATH, update)).status).toBe(200);
  expect(await recalled(api, tag, 'coffee', { searchMode: 'semantic', threshold: 0 })).toEqual([
    'Ada prefers coffee.',
  ]);
});
