// The published graph component in a real browser, over the documents of Memoir.
import { beforeAll, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { withBrowser } from '../support/browser.ts';
import { useServer } from '../support/use-server.ts';
import { graphScript, legendOf, serveGraph, untilANodeShows } from './programs/graph.ts';
import { installPrograms } from './programs/install.ts';

const memoir = useServer();

let script = '';
beforeAll(async () => {
  script = await graphScript(await installPrograms());
}, 120_000);

interface Graph {
  documents: { memoryEntries: { memory: string; memoryRelations: Record<string, string> | null }[] }[];
}

verifies(
  'client:programs:graph',
  'the graph component shows documents, memories and their relations',
  async ({ skip }) => {
    const containerTag = 'graph-anna';
    for (const content of ['Anna: I moved to Munich in May.', 'Anna: I moved to Lisbon last week.']) {
      const { id } = await memoir.add({ content, containerTag });
      await memoir.remembered(id);
    }
    const asked = { containerTags: [containerTag] };
    const { documents } = (await memoir.ask<Graph>('POST', '/v3/documents/documents', asked)).body;
    const memories = documents.flatMap(({ memoryEntries }) => memoryEntries);
    const relations = memories.flatMap(({ memoryRelations }) => Object.values(memoryRelations ?? {}));
    expect(relations).toContain('updates');

    await withBrowser(skip, async (browser) => {
      await using site = await serveGraph(script, { url: memoir.url, key: memoir.key, containerTag });
      const page = await browser.newPage();
      const errors: Error[] = [];
      page.on('pageerror', (error) => errors.push(error));
      await page.goto(site.url);
      await untilANodeShows(page, 'Lisbon');
      expect(await legendOf(page)).toMatchObject({
        Documents: documents.length,
        Memories: memories.length,
        'Document source': memories.length,
        Updates: relations.filter((relation) => relation === 'updates').length,
      });
      expect(errors).toEqual([]);
    });
  },
);
