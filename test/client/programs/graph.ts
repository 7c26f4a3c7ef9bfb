// Serves a page with the published graph component on loopback, and looks at it as a person does.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';

/** In pixels; less than half the size of a node. */
const STEP = 16;

export const graphScript = async (packages: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'graph-page.js')],
    ...{ bundle: true, write: false, format: 'esm', target: 'es2022', nodePaths: [packages] },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return outputFiles[0]?.text ?? '';
};

const pageWith = (settings: object): string =>
  `<!doctype html><title>Graph</title>
  <div id="graph" style="width: 800px; height: 600px"></div>
  <script>globalThis.settings = ${JSON.stringify(settings)}</script>
  <script type="module" src="/graph.js"></script>`;

/** Its origin is another than that of Memoir. */
export const serveGraph = async (script: string, settings: object) => {
  const server = createServer((req, res) => {
    const isScript = req.url === '/graph.js';
    res.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    res.end(isScript ? script : pageWith(settings));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

/** The number behind each label of the legend. */
export const legendOf = async (page: Page): Promise<Record<string, number>> => {
  await page.getByRole('button', { name: 'Legend' }).click();
  const rows = await page.evaluate(() =>
    [...document.querySelectorAll('#graph span')].flatMap((count) => {
      const label = count.previousElementSibling?.textContent;
      return label && /^\d+$/.test(count.textContent) ? [[label, Number(count.textContent)]] : [];
    }),
  );
  return Object.fromEntries(rows);
};

/** Points of the canvas over which the pointer shows that there is a node. */
const pointsOfNodes = (page: Page): Promise<{ x: number; y: number }[]> =>
  page.evaluate((step) => {
    const canvas = document.querySelector('canvas');
    if (canvas === null) return [];
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const points: { x: number; y: number }[] = [];
    for (let y = top; y < top + height; y += step)
      for (let x = left; x < left + width; x += step) {
        canvas.dispatchEvent(new MouseEvent('mousemove', { clientX: x, clientY: y }));
        if (canvas.style.cursor === 'grab') points.push({ x, y });
      }
    return points;
  }, STEP);

/** Moves the mouse from node to node until one shows the text; nodes still move after they are drawn. */
export const untilANodeShows = async (page: Page, text: string): Promise<void> => {
  const shown = page.locator('#graph').getByText(text).first();
  await until(`a node with the text "${text}"`, async () => {
    for (const { x, y } of await pointsOfNodes(page)) {
      await page.mouse.move(x, y);
      if (await shown.isVisible()) return true;
    }
    return false;
  });
};
