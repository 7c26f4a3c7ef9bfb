// Tests of changing a signed link so that it points to the file of another tag.
import { expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { useServer } from '../support/use-server.ts';
import { openParty, type Party, uploadedOf } from './parties.ts';
import { createChance, testSeed } from './secrets.ts';

const seed = testSeed();
const memoir = useServer();

const linkOf = async (party: Party): Promise<URL> => {
  const path = `/v3/documents/${uploadedOf(party).id}/file-url`;
  const { body } = await memoir.ask<{ url: string }>('GET', path, undefined, { key: party.key });
  return new URL(body.url);
};

const bent = (link: URL, change: (url: URL) => void): URL => {
  const url = new URL(link);
  change(url);
  return url;
};

verifies(
  ['upload:link:bound', 'isolation:key:outside-tags'],
  `a link to an own file cannot be changed to reach a file of others (seed ${seed})`,
  async () => {
    const chance = createChance(seed);
    const [self, theirs] = [await openParty(memoir, chance), await openParty(memoir, chance)];
    const [mine, target] = [await linkOf(self), uploadedOf(theirs)];
    const tomorrow = String(Date.now() + 86_400_000);
    const attempts = [
      bent(mine, (url) => {
        url.pathname = `/files/${target.id}`;
      }),
      bent(mine, (url) => {
        url.pathname = `/files/${encodeURIComponent(target.customId)}`;
      }),
      bent(mine, (url) => {
        url.pathname += `/../${target.id}`;
      }),
      bent(mine, (url) => {
        url.pathname += `%2f..%2f${target.id}`;
      }),
      bent(mine, (url) => {
        url.pathname = `/files/${target.id}`;
        url.searchParams.set('expires', tomorrow);
      }),
      bent(mine, (url) => {
        url.pathname = `/files/${target.id}`;
        url.searchParams.delete('signature');
      }),
      bent(mine, (url) => {
        url.searchParams.append('id', target.id);
        url.searchParams.set('signature', `${url.searchParams.get('signature')}A`);
      }),
    ];
    for (const url of attempts)
      for (const headers of [{}, { authorization: `Bearer ${self.key}` }] as Record<string, string>[]) {
        const answer = await fetch(url, { headers });
        const text = JSON.stringify([...answer.headers]) + (await answer.text());
        expect([url.href, answer.status]).toEqual([url.href, 404]);
        for (const secret of [target.word, target.content, target.title]) expect(text).not.toContain(secret);
      }
    expect(await (await fetch(mine)).text()).toBe(uploadedOf(self).content);
    expect(await (await fetch(await linkOf(theirs))).text()).toBe(target.content);
  },
);
