// One good call of every operation whose changes the audit log notes, each with what has to be there before it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALIBRATION_CASES } from '../../../server/domain/search/similarity/calibration-cases.ts';
import { startFakeGitHub } from '../../fakes/github.ts';
import { startFakeNotion } from '../../fakes/notion.ts';
import { startFakeBucket } from '../../fakes/s3.ts';
import type { Input } from '../../isolation/ways.ts';
import { startHub } from '../../support/models/hub.ts';
import { addRuntime } from '../../support/models/runtime.ts';
import { describeModel, tinyFiles, tinyRow } from '../../support/models/tiny-model.ts';
import { choice, connect, register } from '../../support/oauth.ts';
import { until } from '../../support/until.ts';
import { agentKey } from './keys.ts';
import { addMember } from './team.ts';
import type { OwnRest } from './use-memoir.ts';

const BASE = 'https://memoir.example';

/** Makes what the call needs, and returns its input. `caller`: the key of the one who makes it. */
type Prepare = (caller: string) => Promise<Input>;

/** A model, and sources to connect, on the loopback. */
export const openOutside = async () => {
  const [hub, github, notion] = await Promise.all([startHub(), startFakeGitHub(), startFakeNotion()]);
  const bucket = await startFakeBucket({}, { pageSize: 100 });
  const models = mkdtempSync(join(tmpdir(), 'memoir-audited-models-'));
  await addRuntime(models);
  describeModel(models, tinyRow());
  const texts = CALIBRATION_CASES.flatMap(({ query, related, unrelated }) => [query, related, ...unrelated]);
  const { weights, tokenizer } = tinyFiles(texts);
  hub.put('/memoir/tiny/resolve/main/onnx/model_quantized.onnx', { content: weights, etag: '"w"' });
  hub.put('/memoir/tiny/resolve/main/tokenizer.json', { content: tokenizer, etag: '"t"' });
  return {
    ...{ github, notion, bucket },
    env: {
      ...{ MEMOIR_MODEL_HUB: hub.url, MEMOIR_MODELS_DIR: models },
      ...{ MEMOIR_PRIVATE_SOURCES: new URL(bucket.endpoint).host, MEMOIR_BASE_URL: BASE },
    },
    standIns: {
      'https://api.github.com': github.server.origin,
      'https://api.notion.com': notion.server.origin,
    },
    async close() {
      await Promise.all([hub, github, notion, bucket].map((each) => each.close()));
      rmSync(models, { recursive: true });
    },
  };
};

export type Outside = Awaited<ReturnType<typeof openOutside>>;

const idOf = async (api: OwnRest, method: string, path: string, body: object): Promise<string> => {
  const answer = await api.ask<{ id: string }>(method, path, body);
  if (answer.status !== 200)
    throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};

const onContent = (api: OwnRest): Readonly<Record<string, Prepare>> => {
  const added = async () => {
    const containerTag = api.newTag();
    const { id } = await api.add({ content: 'The ferry leaves at noon.', containerTag });
    return { id, containerTag };
  };
  const remembered = async () => {
    const containerTag = api.newTag();
    const { body } = await api.ask<{ memories: { id: string }[] }>('POST', '/v4/memories', {
      ...{ containerTag, memories: [{ content: 'Ada plays the oboe.' }] },
    });
    return { id: body.memories[0]?.id ?? '', containerTag };
  };
  const merging = async () => ({ from: (await added()).containerTag, to: (await added()).containerTag });
  return {
    'documents.delete': added,
    'documents.deleteBulk': async () => ({ ids: [(await added()).id, (await added()).id] }),
    'memories.forget': remembered,
    'memories.forgetMatching': async () => {
      const { id, containerTag } = await remembered();
      return { containerTag, ids: [id] };
    },
    'containerTags.update': async () => ({ containerTag: (await added()).containerTag, name: 'Named' }),
    'containerTags.delete': async () => ({ containerTag: (await added()).containerTag }),
    'containerTags.merge': async () => {
      const { from, to } = await merging();
      return { containerTags: [from], targetContainerTag: to };
    },
    'projects.delete': async () => ({ projectId: (await added()).containerTag, action: 'delete' }),
    'namespaces.documents.delete': async () => {
      const { id, containerTag } = await added();
      return { namespace: containerTag, ids: [id] };
    },
    'namespaces.memories.forget': async () => {
      const { id, containerTag } = await remembered();
      return { namespace: containerTag, ids: [id] };
    },
    'namespaces.memories.forgetMatching': async () => ({
      ...{ namespace: (await remembered()).containerTag, query: 'Ada plays the oboe.', dryRun: false },
    }),
    'namespaces.update': async () => ({
      ...{ namespace: (await added()).containerTag, supportingContext: 'A harbour.' },
    }),
    'namespaces.delete': async () => ({ namespace: (await added()).containerTag }),
  };
};

const onKeys = (api: OwnRest): Readonly<Record<string, Prepare>> => {
  const key = async () => ({ id: (await agentKey(api, { name: 'changed' })).id });
  const grant = async () => {
    const { client_id: clientId = '' } = (await (await register(api.memoir)).json()) as Record<
      string,
      string
    >;
    const tag = api.newTag();
    const asking = await connect(api.memoir, clientId, { resource: `${BASE}/mcp` });
    await asking.tokens(api.memoir.key, choice('write', [tag], '30'));
    const { body } = await api.ask<{ grants: { id: string; containerTags: string[] | null }[] }>(
      ...(['GET', '/v3/oauth/grants'] as const),
    );
    return { id: body.grants.find(({ containerTags }) => containerTags?.includes(tag))?.id };
  };
  return {
    'keys.createAgent': async () => ({ name: 'made', permission: 'read' }),
    'keys.createScoped': async () => ({ containerTag: api.newTag() }),
    'keys.disable': key,
    'keys.toggle': key,
    'keys.update': async () => ({ ...(await key()), name: 'another name' }),
    'keys.rotate': key,
    'grants.createPluginKey': async () => ({ client: 'cursor' }),
    'grants.revoke': grant,
    'quotas.set': async () => ({ of: 'key', ...(await key()), quotas: { searchesPerDay: 5 } }),
  };
};

const onTeam = (api: OwnRest): Readonly<Record<string, Prepare>> => {
  const email = () => `${api.newTag()}@example.org`;
  const member = async () => ({ id: (await addMember(api, { email: email(), role: 'member' })).id });
  const invited = async () => ({ id: await idOf(api, 'POST', '/v3/auth/team/invite', { email: email() }) });
  const browser = async (key: string) => {
    await fetch(`${api.memoir.url}/console/session`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    });
    const { body } = await api.ask<{ sessions: { id: string }[] }>(
      ...(['GET', '/v3/auth/sessions', undefined, { key }] as const),
    );
    return { id: body.sessions[0]?.id };
  };
  return {
    'team.addMember': async () => ({ email: email(), role: 'member' }),
    'team.invite': async () => ({ email: email() }),
    'team.resendInvite': invited,
    'team.cancelInvite': invited,
    'team.setRole': async () => ({ ...(await member()), role: 'admin' }),
    'team.setAccess': async () => ({
      ...(await member()),
      containerTags: [{ containerTag: api.newTag(), permission: 'read' }],
    }),
    'team.removeMember': member,
    'session.end': browser,
  };
};

/** Fewer removals are not held. */
const HELD = 25;

const onConnections = (api: OwnRest, outside: Outside): Readonly<Record<string, Prepare>> => {
  const create = (source: string, metadata: object) =>
    idOf(api, 'POST', `/v3/connections/${source}`, { containerTag: api.newTag(), metadata });
  const rests = (id: string) =>
    until(`the sync of ${id} to end`, async () => {
      const { body } = await api.ask<{ status: string }[]>('GET', `/v3/connections/${id}/sync-runs`);
      return body.length > 0 && body.every(({ status }) => status !== 'running');
    });
  const notion = async () => {
    const id = await create('notion', { token: outside.notion.token });
    await rests(id);
    return { connectionId: id };
  };
  const chosen = async () => {
    const { github } = outside;
    const name = `ann/${api.newTag()}`;
    const { id } = github.addRepository(name, { 'ferry.md': '# Ferry\n\nThe ferry leaves at noon.' });
    const connectionId = await create('github', { token: github.token });
    return { connectionId, resources: [{ id, name, defaultBranch: 'main' }] };
  };
  const filled = async (names: readonly string[]) => {
    const { bucket } = outside;
    for (const name of names) await bucket.put(name, `The text of ${name}.`);
    const id = await create('s3', { ...bucket.grant.metadata, ...bucket.grant.secrets });
    await rests(id);
    await api.memoir.idle();
    return id;
  };
  const emptied = async () => {
    const connectionId = await filled(Array.from({ length: HELD }, (_, at) => `${at}.txt`));
    outside.bucket.objects.clear();
    await api.ask('POST', '/v3/connections/s3/import', {});
    await until('the removals to be held', async () => {
      const { body } = await api.ask<{ status: string }>('GET', `/v3/connections/${connectionId}`);
      return body.status === 'held';
    });
    return { connectionId };
  };
  const left = async () => {
    const connectionId = await filled(['left.txt']);
    const { body } = await api.ask<{ id: string; documentId: string }[]>(
      ...(['GET', `/v3/connections/${connectionId}/items?state=taken`] as const),
    );
    await api.remove(body[0]?.documentId ?? '');
    return { connectionId, items: [body[0]?.id] };
  };
  return {
    'connections.create': async () => ({
      ...{ connection: 'notion', containerTag: api.newTag(), metadata: { token: outside.notion.token } },
    }),
    'connections.reauthorize': async () => ({
      ...(await notion()),
      metadata: { token: outside.notion.token },
    }),
    'connections.pause': notion,
    'connections.resume': async () => {
      const { connectionId } = await notion();
      await api.ask('POST', `/v3/connections/${connectionId}/pause`);
      return { connectionId };
    },
    'connections.import': async () => {
      await notion();
      return { provider: 'notion' };
    },
    'connections.makeHook': notion,
    'connections.configure': chosen,
    'connections.acceptRemovals': emptied,
    'connections.include': left,
    'connections.delete': async () => ({ connection: (await notion()).connectionId }),
  };
};

const onTheMachine = (api: OwnRest): Readonly<Record<string, Prepare>> => {
  const tiny = async () => ({ name: 'tiny' });
  return {
    'settings.update': async () => ({ chunkSize: 900 }),
    'namespaces.organization.update': async () => ({ organizationalContext: 'A bakery.' }),
    'secrets.rotate': async () => ({}),
    'storage.compact': async () => ({}),
    'spaces.reindex': async () => ({}),
    'models.use': async () => ({ name: 'builtin' }),
    'models.add': tiny,
    'models.remove': async () => {
      await until('the model is installed', async () => {
        const { body } = await api.ask<{ models: { name: string; installed: boolean }[] }>(
          ...(['GET', '/v3/models'] as const),
        );
        return body.models.some(({ name, installed }) => name === 'tiny' && installed);
      });
      return { name: 'tiny' };
    },
    'settings.reset': async () => ({
      confirmation: (await api.ask<{ org: { id: string } }>('GET', '/v3/session')).body.org.id,
    }),
  };
};

/** By the name of the operation, in the order in which they are made: the last one empties everything. */
export const auditedChanges = (api: OwnRest, outside: Outside): Readonly<Record<string, Prepare>> => ({
  ...onContent(api),
  ...onKeys(api),
  ...onTeam(api),
  ...onConnections(api, outside),
  ...onTheMachine(api),
});
