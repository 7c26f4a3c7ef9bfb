// The commands of docs/connectors/web-crawler.md, run as they stand there against a site on loopback: from nothing to a search result.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newPlace, type Place, runLine, type Server, serve } from '../cli/memoir-process.ts';
import { type FakeSite, page, sitemap, startFakeSite } from '../fakes/web-crawler.ts';
import { textOf } from './surface.ts';

// Each line is a process of its own, and a crawl pauses for a second between two requests.
vi.setConfig({ testTimeout: 360_000, hookTimeout: 180_000 });

let place: Place;
let site: FakeSite;
let server: Server;
beforeAll(async () => {
  site = await startFakeSite();
  site.robots('User-agent: *\nDisallow: /secret\n');
  site.pages.set('/', page('Welcome', ['/guide', '/hidden', '/secret']));
  site.pages.set('/guide', page('Guide', ['/'], 'The installation takes a minute.'));
  site.pages.set('/hidden', { html: '<meta name="robots" content="noindex"><p>Not for indexes.</p>' });
  site.pages.set('/sitemap.xml', sitemap([`${site.origin}/guide`]));
  place = newPlace();
  const [setting = ''] = blocks('text');
  const [name = '', value = ''] = setting.trim().split('=');
  server = await serve({ ...place, env: { [name]: value } });
});
afterAll(async () => {
  await server.stop();
  await site.close();
  place.remove();
});

const blocks = (language: string): string[] =>
  [
    ...textOf('docs/connectors/web-crawler.md').matchAll(
      new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'),
    ),
  ].map(([, code = '']) =>
    code.replaceAll('https://docs.example.com', site.origin).replaceAll('docs.example.com:80', site.host),
  );

/** As it is typed where Memoir is installed. */
const answerTo = async (line: string): Promise<string> => {
  const { code, stdout, stderr } = await runLine(line.replace(/^memoir /, 'npm run -s memoir -- '), place);
  expect(code, `${line}\n${stdout}${stderr}`).toBe(0);
  return stdout;
};

test('the commands of the page lead from nothing to a search result', async () => {
  const [dryRun = '', add = '', search = ''] = blocks('sh').join('').trim().split('\n');
  expect(await answerTo(dryRun)).toContain('At least 2 files would be synced');
  expect(await answerTo(add)).toContain('web-crawler');
  expect(await answerTo(search)).toContain('takes a minute');
  const [id = ''] = /^\w{22}/m.exec(await answerTo('memoir connections list')) ?? [];
  const problems = await answerTo(`memoir connections problems ${id}`);
  expect(problems).toContain('/hidden asks not to be stored');
  expect(site.server.requests.filter(({ url }) => url.pathname === '/secret')).toEqual([]);
  expect(site.mostAtOnce()).toBe(1);
});
