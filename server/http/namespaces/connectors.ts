// Connectors of version 5, which are connections now: their shapes are not published, so they are made under /v3/connections.
import { z } from 'zod';
import { pagination } from '../../../tools/memories/schemas/paging.ts';
import { operation } from '../../../tools/operation.ts';
import { notImplemented } from '../../core/errors.ts';
import { namespace, pageInput } from './fields.ts';
import { pageFrom } from './namespaces.ts';
import { insideNamespace } from './row.ts';

const refuseConnectors = async (): Promise<never> => {
  throw notImplemented(
    'The connectors of version 5 are not served. Make and watch connections with /v3/connections.',
  );
};

const provider = z.string().min(1).max(64);
const id = z.string().min(1).max(255);

const listAsked = z.object({ provider: provider.optional(), ...pageInput });

const listAnswer = z.object({ connectors: z.array(z.unknown()), pagination });

const connectorsPage = (all: readonly unknown[], page: z.output<typeof listAsked>) => {
  const { items, pagination: place } = pageFrom(all, page);
  return { connectors: items, pagination: place };
};

export const listAllConnectors = operation({
  name: 'namespaces.connectors.listAll',
  summary: 'client.connectors.list_all',
  rest: { method: 'GET', path: '/connectors', status: 200 },
  permission: 'read',
  reaches: 'tags',
  tags: () => undefined,
  input: listAsked,
  output: listAnswer,
  run: async (_service, page) => connectorsPage([], page),
});

export const listConnectors = insideNamespace({
  name: 'namespaces.connectors.list',
  summary: 'client.connectors.list',
  rest: { method: 'GET', path: '/ns/{namespace}/connectors', status: 200 },
  permission: 'read',
  input: listAsked.extend({ namespace }),
  output: listAnswer,
  run: async (_service, page) => connectorsPage([], page),
});

export const createConnector = insideNamespace({
  name: 'namespaces.connectors.create',
  summary: 'client.connectors.create',
  rest: { method: 'POST', path: '/ns/{namespace}/connectors', status: 201 },
  permission: 'write',
  audits: 'connection.add',
  input: z.object({ namespace, provider }),
  output: z.never(),
  run: refuseConnectors,
});

const oneConnector = z.object({ namespace, id });

export const getConnector = insideNamespace({
  name: 'namespaces.connectors.get',
  summary: 'client.connectors.get',
  rest: { method: 'GET', path: '/ns/{namespace}/connectors/{id}', status: 200 },
  permission: 'read',
  input: oneConnector,
  output: z.never(),
  run: refuseConnectors,
});

export const updateConnector = insideNamespace({
  name: 'namespaces.connectors.update',
  summary: 'client.connectors.update',
  rest: { method: 'PATCH', path: '/ns/{namespace}/connectors/{id}', status: 200 },
  permission: 'write',
  audits: 'connection.change',
  input: oneConnector,
  output: z.never(),
  run: refuseConnectors,
});

export const deleteConnector = insideNamespace({
  name: 'namespaces.connectors.delete',
  summary: 'client.connectors.delete',
  rest: { method: 'DELETE', path: '/ns/{namespace}/connectors/{id}', status: 200, fields: 'query' },
  permission: 'write',
  audits: 'connection.remove',
  input: oneConnector,
  output: z.never(),
  run: refuseConnectors,
});

export const syncConnector = insideNamespace({
  name: 'namespaces.connectors.sync',
  summary: 'client.connectors.sync',
  rest: { method: 'POST', path: '/ns/{namespace}/connectors/{id}/sync', status: 202 },
  permission: 'write',
  audits: 'connection.change',
  input: oneConnector,
  output: z.never(),
  run: refuseConnectors,
});
