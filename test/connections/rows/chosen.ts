// A drive of which a part is chosen: nothing before, exactly the subtree afterwards, and folders that move out and back.
import {
  connectDrive,
  runsOf,
  type SyncedServer,
  shown,
  startSyncedServer,
  syncAgain,
  synced,
} from '../support/synced-server.ts';
import { atMost, type ConnectionRow, exactly, type Figure } from './row.ts';

const TAG = 'chosen';

const readsOf = ({ drive }: SyncedServer): number =>
  drive.requests.filter(({ url }) => url.searchParams.get('alt') === 'media').length;

const customIds = ({ read }: SyncedServer): string =>
  read((query) =>
    query('select custom_id as id from documents where deleted = 0')
      .map(({ id }) => String(id))
      .sort()
      .join(' '),
  );

export const chosen: ConnectionRow = {
  name: 'chosen',
  requirements: [10],
  async run({ files }) {
    const size = Math.ceil(files / 20);
    await using server = await startSyncedServer();
    const { drive, ask } = server;
    const root = drive.addFolder('Chosen');
    const moving = drive.addFolder('Moving', root);
    const elsewhere = drive.addFolder('Elsewhere');
    const inside = Array.from({ length: size }, (_, n) =>
      drive.addFile(`in ${n}.txt`, `Inside ${n}.`, { parent: moving }),
    );
    const staying = Array.from({ length: 5 }, (_, n) =>
      drive.addFile(`stay ${n}.txt`, `Staying ${n}.`, { parent: root }),
    );
    for (let n = 0; n < size; n++) drive.addFile(`out ${n}.txt`, `Outside ${n}.`, { parent: elsewhere });
    const id = await connectDrive(server, TAG, {});
    const before = drive.requests.length;
    const { status } = await ask('POST', '/v3/connections/google-drive/import', { containerTags: [TAG] });
    const figures: Figure[] = [
      exactly('status of an import before a choice', status, 202),
      exactly('its requests', drive.requests.length - before, 0),
      exactly('its runs', (await runsOf(server, id)).length, 0),
    ];
    await ask('POST', `/v3/connections/${id}/configure`, {
      resources: [{ id: root, name: 'Chosen', kind: 'folder' }],
    });
    await synced(server, id);
    const expected = [...inside, ...staying].sort().join(' ');
    figures.push(
      exactly(
        'documents',
        customIds(server) === expected ? 'the subtree' : customIds(server).slice(0, 200),
        'the subtree',
      ),
    );
    drive.move(moving, drive.root);
    const [out, readBefore] = [await syncAgain(server, id, TAG), readsOf(server)];
    figures.push(
      exactly('removed when the folder moved out', out.itemsRemoved, size),
      exactly('left', customIds(server), [...staying].sort().join(' ')),
    );
    drive.move(moving, root);
    const back = await syncAgain(server, id, TAG);
    figures.push(
      exactly('added when it moved back', back.itemsAdded, size),
      atMost('reads for that', readsOf(server) - readBefore, size),
      exactly('documents', customIds(server) === expected ? 'the subtree' : 'others', 'the subtree'),
      exactly('failed', (await shown(server, id)).progress.failed, 0),
    );
    return figures;
  },
};
