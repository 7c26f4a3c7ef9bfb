// The choice in OneDrive: the drive of the account, and the drives of SharePoint sites, folder by folder.
import { z } from 'zod';
import type { Resource } from '../port.ts';
import { askGraph, type Graph } from './graph.ts';
import { DRIVE_ITEM, type DriveItem, driveOf, ITEM_FIELDS, itemId, rootId } from './items.ts';
import { DRIVE } from './look.ts';

const SITES = 'sites';
const SITE = 'site:';
const MOST = 1000;

const SITE_LIST = z.object({
  value: z.array(
    z.object({
      id: z.string(),
      displayName: z.string().nullish(),
      name: z.string().nullish(),
      webUrl: z.string().nullish(),
    }),
  ),
});
const DRIVE_LIST = z.object({ value: z.array(DRIVE) });
const CHILDREN = z.object({ value: z.array(DRIVE_ITEM), '@odata.nextLink': z.string().optional() });
const FOUND_SITE = z.object({ displayName: z.string().nullish(), name: z.string().nullish() });

interface PageOfDrive {
  readonly resources: readonly Resource[];
  readonly total?: number;
}

const paged = (all: readonly Resource[], page: number, perPage: number): PageOfDrive => ({
  resources: all.slice((page - 1) * perPage, page * perPage),
  total: all.length,
});

const topOf = async (graph: Graph, own: string | null): Promise<Resource[]> => {
  const drive =
    own === null
      ? null
      : await askGraph(graph, `${own}?$select=id,name`, {
          ...{ shape: DRIVE, what: 'the drive of the account', template: '/me/drive', missing: [403, 404] },
        });
  const sites: Resource = {
    ...{ id: SITES, name: 'SharePoint sites', kind: 'group', hasChildren: true, selectable: false },
  };
  return drive === null
    ? [sites]
    : [{ id: rootId(drive.id), name: 'My files', kind: 'drive', hasChildren: true, selectable: true }, sites];
};

const sitesNamed = async (graph: Graph, words: string): Promise<Resource[]> => {
  const found = await askGraph(graph, `/sites?search=${encodeURIComponent(words)}&$top=200`, {
    ...{ shape: SITE_LIST, what: 'a list of sites', template: '/sites', missing: [403] },
  });
  return (found?.value ?? []).map(({ id, displayName, name, webUrl }) => ({
    ...{ id: `${SITE}${id}`, name: displayName ?? name ?? 'Site', kind: 'site', hasChildren: true },
    ...{ selectable: false, ...(webUrl ? { path: webUrl } : {}) },
  }));
};

const drivesOfSite = async (graph: Graph, id: string): Promise<Resource[]> => {
  const path = `/sites/${encodeURIComponent(id)}`;
  const site = await askGraph(graph, `${path}?$select=displayName,name`, {
    ...{ shape: FOUND_SITE, what: 'a site', template: '/sites/{id}' },
  });
  const drives = await askGraph(graph, `${path}/drives?$select=id,name`, {
    ...{ shape: DRIVE_LIST, what: 'the drives of a site', template: '/sites/{id}/drives' },
  });
  const how = { site: site?.displayName ?? site?.name ?? '' };
  return (drives?.value ?? []).map((drive) => ({
    ...{ id: rootId(drive.id), name: drive.name ?? 'Documents', kind: 'drive', hasChildren: true },
    ...{ selectable: true, how },
  }));
};

const itemResource = (drive: string, item: DriveItem): Resource => ({
  ...{ id: itemId(drive, item.id), name: item.name ?? 'Untitled' },
  kind: item.folder == null ? 'file' : 'folder',
  ...{ hasChildren: item.folder != null, selectable: true },
});

const isBrowsed = ({ folder, file }: DriveItem): boolean => folder != null || file != null;

/** Microsoft numbers no pages, so those before are asked for too. */
const childrenOfFolder = async (
  graph: Graph,
  parent: string,
  most: number,
): Promise<{ items: Resource[]; complete: boolean }> => {
  const drive = driveOf(parent);
  const folder =
    parent === rootId(drive) ? 'root' : `items/${encodeURIComponent(parent.slice(drive.length + 1))}`;
  const items: Resource[] = [];
  let address: string | undefined =
    `/drives/${encodeURIComponent(drive)}/${folder}/children?$select=${ITEM_FIELDS}&$top=${Math.min(most, MOST)}`;
  while (address !== undefined && items.length < most) {
    const listed: z.output<typeof CHILDREN> | null = await askGraph(graph, address, {
      ...{ shape: CHILDREN, what: 'the content of a folder', template: '/drives/{id}/items/{id}/children' },
    });
    items.push(...(listed?.value ?? []).filter(isBrowsed).map((item) => itemResource(drive, item)));
    address = listed?.['@odata.nextLink'];
  }
  return { items, complete: address === undefined };
};

/** `own`: the drive of the account, as in "/me/drive"; null: there is none. */
export const browseOneDrive = async (
  graph: Graph,
  own: string | null,
  { parent, page, perPage }: { parent: string | null; page: number; perPage: number },
): Promise<PageOfDrive> => {
  if (parent === null) return paged(await topOf(graph, own), page, perPage);
  if (parent === SITES) return paged(await sitesNamed(graph, '*'), page, perPage);
  if (parent.startsWith(SITE))
    return paged(await drivesOfSite(graph, parent.slice(SITE.length)), page, perPage);
  const { items, complete } = await childrenOfFolder(graph, parent, page * perPage);
  const { resources } = paged(items, page, perPage);
  return complete ? { resources, total: items.length } : { resources };
};

/** In the drive of the account, and among the names of sites. */
export const findInOneDrive = async (
  graph: Graph,
  own: string | null,
  words: string,
  most: number,
): Promise<Resource[]> => {
  const sites = await sitesNamed(graph, words);
  const found =
    own === null
      ? null
      : await askGraph(
          graph,
          `${own}/root/search(q='${encodeURIComponent(words.replaceAll("'", "''"))}')?$top=${most}`,
          {
            ...{ shape: CHILDREN, what: 'the found files', template: '/me/drive/root/search' },
          },
        );
  const items = (found?.value ?? []).flatMap((item) => {
    const drive = item.parentReference?.driveId;
    return drive && isBrowsed(item) ? [itemResource(drive, item)] : [];
  });
  return [...items, ...sites].slice(0, most);
};
