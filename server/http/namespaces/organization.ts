// The organisation: the description that all namespaces share.
import { z } from 'zod';
import type { Service } from '../../../tools/context.ts';
import { operation } from '../../../tools/operation.ts';
import { settingsInput } from '../../../tools/settings/schemas/settings.ts';
import type { Caller } from '../../core/principal.ts';
import { forFullAccess } from './row.ts';

const organization = z.object({ organizationalContext: z.string().nullable(), namespaceCount: z.int() });

const readOrganization = async (service: Service, caller: Caller) => {
  const { workspacePrompt } = await service.settings.get(caller);
  const tags = await service.tags.list(caller);
  return { organizationalContext: workspacePrompt ?? null, namespaceCount: tags.length };
};

export const getOrganization = operation({
  name: 'namespaces.organization.get',
  summary: 'client.organization.get',
  rest: { method: 'GET', path: '/organization', status: 200 },
  permission: 'read',
  reaches: 'self',
  input: z.object({}),
  output: organization,
  run: (service, _input, caller) => readOrganization(service, caller),
});

export const updateOrganization = forFullAccess({
  name: 'namespaces.organization.update',
  summary: 'client.organization.update',
  rest: { method: 'PATCH', path: '/organization', status: 200 },
  permission: 'write',
  audits: 'settings.change',
  input: z.object({ organizationalContext: settingsInput.shape.workspacePrompt.unwrap() }),
  output: organization,
  async run(service, { organizationalContext }, caller) {
    await service.settings.update({ workspacePrompt: organizationalContext }, caller);
    return readOrganization(service, caller);
  },
});
