// Choosing what a connection syncs: the resources of its source, what a choice would sync, and the page for it.
import type { z } from 'zod';
import type {
  ConnectionPreview,
  configureInput,
  resourcesInput,
} from '../../../tools/connections/schemas/connections.ts';
import type { Choice, Resource } from '../../adapters/connect/port.ts';
import type { StoredChoice } from '../../adapters/store/ports/connections/connections.ts';
import { badRequest, forbidden } from '../../core/errors.ts';
import type { Caller } from '../../core/principal.ts';
import { choiceAddress } from '../../lib/own-address.ts';
import { connectionNote } from './connection-note.ts';
import {
  askingInTime,
  askingSource,
  type CreateDeps,
  countSource,
  requireKind,
} from './create-connection.ts';
import { nothingToChoose, notReady } from './refusals.ts';
import type { PickerTickets } from './sign-in/picker-tickets.ts';
import { pageOfSource } from './source-page.ts';
import { findConnection, openStored } from './stored-connection.ts';

type Input<Schema extends z.ZodType> = z.output<Schema>;

export interface ChoosingDeps extends CreateDeps {
  readonly tickets: PickerTickets;
  /** The address of this server. */
  readonly base: () => string;
}

export interface Choosing {
  resources(
    caller: Caller,
    input: Input<typeof resourcesInput>,
    signal: AbortSignal,
  ): Promise<{ resources: Record<string, unknown>[]; total_count?: number; source: string }>;
  /** The items that another choice would sync. */
  previewChoice(
    caller: Caller,
    input: Input<typeof configureInput>,
    signal: AbortSignal,
  ): Promise<ConnectionPreview>;
  /** The address of the page for choosing. */
  choicePage(caller: Caller, id: string): Promise<{ url: string; expiresIn: string }>;
  configure(
    caller: Caller,
    input: Input<typeof configureInput>,
  ): Promise<{ success: boolean; message: string }>;
}

const presentResource = (resource: Resource, chosen: ReadonlySet<string>): Record<string, unknown> => ({
  id: resource.id,
  name: resource.name,
  kind: resource.kind,
  hasChildren: resource.hasChildren,
  selectable: resource.selectable,
  selected: chosen.has(resource.id),
  ...(resource.path === undefined ? {} : { path: resource.path }),
  ...(resource.how === undefined ? {} : { how: resource.how }),
  ...resource.published,
});

const listResources = async (
  deps: ChoosingDeps,
  caller: Caller,
  { connectionId, page, per_page: perPage, parent_id: parent, search: words }: Input<typeof resourcesInput>,
  signal: AbortSignal,
) => {
  const record = await findConnection(deps, caller, connectionId);
  const kind = await requireKind(await deps.sources(), record.provider);
  if (kind.choosing === 'never') throw nothingToChoose(kind.title);
  const { sources, opened } = await openStored(deps, caller, record);
  const query = { parent: parent ?? null, words: words?.trim() ?? '', page, perPage };
  const listed = await askingInTime(sources, { title: kind.title, signal }, (inTime) =>
    pageOfSource(opened.source, query, inTime),
  );
  if (listed === null) throw nothingToChoose(kind.title);
  const { resources, total } = listed;
  const chosen = new Set((record.choice ?? []).map(({ id }) => id));
  return {
    resources: resources.map((resource) => presentResource(resource, chosen)),
    ...(total === undefined ? {} : { total_count: total }),
    source: kind.title,
  };
};

const previewStored = async (
  deps: ChoosingDeps,
  caller: Caller,
  { connectionId, resources }: Input<typeof configureInput>,
  signal: AbortSignal,
): Promise<ConnectionPreview> => {
  const record = await findConnection(deps, caller, connectionId);
  const { sources, opened } = await openStored(deps, caller, record);
  const choice = resources.map(storedChoice) as Choice;
  return askingSource(sources, () => countSource(opened, choice, signal));
};

/** Only where there is something to choose, and somebody has signed in. */
const openChoicePage = async (
  deps: ChoosingDeps,
  caller: Caller,
  id: string,
): Promise<{ url: string; expiresIn: string }> => {
  const record = await findConnection(deps, caller, id);
  const kind = await requireKind(await deps.sources(), record.provider);
  if (kind.choosing === 'never') throw nothingToChoose(kind.title);
  if (record.state === 'waiting' || record.state === 'signed_out') throw notReady(record.state);
  const { keyId } = caller;
  if (keyId === undefined || caller.grantId !== undefined)
    throw forbidden('The page needs a key of its own: call with an API key.');
  const ticket = await deps.tickets.write({ keyId, connection: id, redirectUrl: null });
  return { url: choiceAddress(deps.base(), id, ticket), expiresIn: '1 hour' };
};

/** Published clients send a number as id. */
const storedChoice = (resource: Readonly<Record<string, unknown>>): StoredChoice => {
  const { id, name, kind, how, ...published } = resource;
  if ((typeof id !== 'string' && typeof id !== 'number') || String(id) === '')
    throw badRequest('Each resource needs the id that GET /v3/connections/{id}/resources answered.');
  return {
    id: String(id),
    name: typeof name === 'string' ? name : String(id),
    kind: typeof kind === 'string' ? kind : 'resource',
    how: how ?? published,
  };
};

const configureChoice = async (
  deps: ChoosingDeps,
  caller: Caller,
  { connectionId, resources }: Input<typeof configureInput>,
) => {
  const record = await findConnection(deps, caller, connectionId);
  const kind = await requireKind(await deps.sources(), record.provider);
  if (kind.choosing === 'never') throw nothingToChoose(kind.title);
  if (record.state === 'waiting') throw notReady(record.state);
  const note = connectionNote(caller, record, { change: 'configure', resources: resources.length });
  await deps.store.change(caller.scope, record.id, { choice: resources.map(storedChoice) }, note);
  const chosen =
    resources.length === 1 ? '1 resource was chosen' : `${resources.length} resources were chosen`;
  return { success: true, message: `${chosen}. The sync starts now.` };
};

export const createChoosing = (deps: ChoosingDeps): Choosing => ({
  resources: (caller, input, signal) => listResources(deps, caller, input, signal),
  previewChoice: (caller, input, signal) => previewStored(deps, caller, input, signal),
  choicePage: (caller, id) => openChoicePage(deps, caller, id),
  configure: (caller, input) => configureChoice(deps, caller, input),
});
