// Google Drive as the contract of sources asks for it.
import type { Choice } from '../../../server/adapters/connect/port.ts';
import type { SourceFake } from '../../adapters/connect/source-fake.ts';
import { type FakeDrive, startFakeDrive } from '../google-drive.ts';
import { pathMatches } from '../support/fake-server.ts';
import { createFakeTokens } from '../support/tokens.ts';
import { googleError } from './errors.ts';

export interface DriveSource extends SourceFake {
  readonly drive: FakeDrive;
  readonly choice: Choice;
}

/** A selection of one folder, or the whole drive. */
export const startDriveSource = async (
  scope: 'full' | 'selected' = 'selected',
  mostPerPage = 3,
): Promise<DriveSource> => {
  const fakeTokens = createFakeTokens();
  const drive = await startFakeDrive(fakeTokens.accepts, { mostPerPage });
  const chosen = drive.addFolder('Chosen');
  const ids = new Map<string, string>();
  const idOf = (name: string): string => ids.get(name) ?? `no file ${name}`;
  return {
    ...{ drive, server: drive, tokens: fakeTokens.tokens },
    standIns: { 'https://www.googleapis.com': drive.origin, 'https://docs.google.com': drive.origin },
    grant: { metadata: scope === 'full' ? { syncScope: 'full' } : {}, secrets: {} },
    choice: [{ id: chosen, name: 'Chosen', kind: 'folder' }],
    isListing: ({ url }) => /\/(?:files|changes)$/.test(url.pathname),
    isReading: ({ url }) => url.searchParams.get('alt') === 'media',
    async put(name, text) {
      const known = ids.get(name);
      if (known === undefined) ids.set(name, drive.addFile(name, text, { parent: chosen }));
      else drive.edit(known, text);
      return idOf(name);
    },
    remove: async (name) => drive.trash(idOf(name)),
    restore: async (name) => drive.restore(idOf(name)),
    rename: async (name, to) => drive.change(idOf(name), { name: to }),
    refuseCursor: drive.forgetCursors,
    expireToken: fakeTokens.expire,
    forbid(name) {
      const path = pathMatches(new RegExp(`/files/${idOf(name)}$`));
      drive.addFault((request) =>
        path(request) ? googleError(404, 'notFound', 'File not found.') : undefined,
      );
    },
    makeTooLarge: (name) => drive.change(idOf(name), { size: String(50 * 1024 * 1024 + 1) }),
    repeatPages() {
      drive.addFault(async ({ url }, usual) => {
        if (!/\/files$/.test(url.pathname)) return undefined;
        url.searchParams.delete('pageToken');
        const answer = await usual();
        return { ...answer, body: { ...(answer.body as object), nextPageToken: '1.3' } };
      });
    },
    revoke: fakeTokens.revoke,
    close: drive.close,
  };
};
