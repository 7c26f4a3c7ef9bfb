// One webhook for each chosen repository.
import { z } from 'zod';
import { answerAs, askAs } from '../answer-shape.ts';
import { isSignedDelivery } from '../hooks/signature.ts';
import { watchEach } from '../hooks/watch-each.ts';
import type { Choice, HookDelivery, HookVerdict, Watch } from '../port.ts';
import { findRepository, type GitHub, HEADERS } from './api.ts';

const HOOK = z.object({ id: z.int() });
const HOOKS = z.array(z.object({ id: z.int(), config: z.object({ url: z.string().optional() }) }));

interface HookPlace {
  readonly name: string;
  readonly address: string;
  readonly secret: string;
}

/** Null: the account may not make hooks here, so the schedule alone leads to looks. */
const watchRepository = async (
  { api, tools }: GitHub,
  { name, address, secret }: HookPlace,
  signal: AbortSignal,
): Promise<Watch | null> => {
  const config = { url: address, content_type: 'json', secret, insecure_ssl: '0' };
  const hooks = `${api.rest}/repos/${name}/hooks`;
  const template = '/repos/{owner}/{name}/hooks';
  const body = JSON.stringify({ name: 'web', active: true, events: ['push', 'repository'], config });
  const answer = await tools.ask(
    hooks,
    { method: 'POST', headers: HEADERS, body, accept: [403, 404, 422], template },
    signal,
  );
  if (answer.status < 400) {
    const { id } = await answerAs(answer, HOOK, 'a webhook');
    return { id: String(id), endsAt: null, how: { name } };
  }
  answer.discard();
  if (answer.status !== 422) return null;
  // The webhook exists already, as after a watch whose answer was lost: it gets the new secret.
  const listed = await askAs(tools.ask, `${hooks}?per_page=100`, {
    ...{ shape: HOOKS, what: 'a list of webhooks', signal },
    request: { headers: HEADERS, template },
  });
  const existing = listed.find((hook) => hook.config.url === address);
  if (existing === undefined) return null;
  const changed = await tools.ask(
    `${hooks}/${existing.id}/config`,
    { method: 'PATCH', headers: HEADERS, body: JSON.stringify(config), template: `${template}/{id}/config` },
    signal,
  );
  changed.discard();
  return { id: String(existing.id), endsAt: null, how: { name } };
};

export const watchRepositories = (
  github: GitHub,
  choice: Choice,
  { address, secret }: { address: string; secret: string },
  signal: AbortSignal,
): Promise<readonly Watch[] | null> =>
  watchEach(choice ?? [], {
    async watch({ id }) {
      const repository = await findRepository(github, id, signal);
      if (repository === null) return null;
      return watchRepository(github, { name: repository.full_name, address, secret }, signal);
    },
    unwatch: (watch, undoing) => unwatchRepository(github, watch, undoing),
  });

const WATCH_HOW = z.object({ name: z.string() });

export const unwatchRepository = async (
  { api, tools }: GitHub,
  { id, how }: Watch,
  signal: AbortSignal,
): Promise<void> => {
  const { name } = WATCH_HOW.parse(how);
  const answer = await tools.ask(
    `${api.rest}/repos/${name}/hooks/${encodeURIComponent(id)}`,
    { method: 'DELETE', headers: HEADERS, accept: [403, 404], template: '/repos/{owner}/{name}/hooks/{id}' },
    signal,
  );
  answer.discard();
};

export const checkGitHubHook = ({ headers, hmac, secret }: HookDelivery): HookVerdict => {
  if (!isSignedDelivery({ secret, hmac }, headers['x-hub-signature-256'])) return { kind: 'refuse' };
  const event = headers['x-github-event'];
  if (event !== 'push' && event !== 'repository') return { kind: 'ignore' };
  // The id of a delivery is not signed, so it could be another one with each repetition.
  return { kind: 'wake', delivery: hmac };
};
