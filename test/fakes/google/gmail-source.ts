// Gmail as the contract of sources asks for it.
import type { SourceFake } from '../../adapters/connect/source-fake.ts';
import { type FakeGmail, startFakeGmail } from '../gmail.ts';
import { createFakeTokens } from '../support/tokens.ts';
import { googleError } from './errors.ts';

export interface GmailSource extends SourceFake {
  readonly mail: FakeGmail;
}

export const startGmailSource = async (mostPerPage = 3): Promise<GmailSource> => {
  const fakeTokens = createFakeTokens();
  const mail = await startFakeGmail(fakeTokens.accepts, { mostPerPage });
  const ids = new Map<string, string>();
  const idOf = (name: string): string => ids.get(name) ?? `no thread ${name}`;
  return {
    ...{ mail, server: mail, tokens: fakeTokens.tokens },
    standIns: { 'https://gmail.googleapis.com': mail.origin },
    grant: { metadata: {}, secrets: {} },
    isListing: ({ url }) => /\/(?:threads|history)$/.test(url.pathname),
    isReading: ({ url }) => url.searchParams.get('format') === 'full',
    async put(name, text) {
      const known = ids.get(name);
      if (known === undefined) ids.set(name, mail.addThread({ subject: name, text }));
      else mail.reply(known, { subject: `Re: ${name}`, text });
      return idOf(name);
    },
    remove: async (name) => mail.label(idOf(name), ['TRASH']),
    restore: async (name) => mail.label(idOf(name), [], ['TRASH']),
    refuseCursor: mail.forgetHistory,
    expireToken: fakeTokens.expire,
    forbid: (name) =>
      void mail.addFault(({ url }) =>
        url.pathname.endsWith(`/threads/${idOf(name)}`)
          ? googleError(404, 'notFound', 'Not found.')
          : undefined,
      ),
    repeatPages: () =>
      void mail.addFault(async ({ url }, usual) => {
        if (!url.pathname.endsWith('/threads')) return undefined;
        url.searchParams.delete('pageToken');
        const answer = await usual();
        return { ...answer, body: { ...(answer.body as object), nextPageToken: '3' } };
      }),
    revoke: fakeTokens.revoke,
    close: mail.close,
  };
};
