// The requests and answers of Microsoft Graph that a connection uses, in each of its clouds.
import { z } from 'zod';
import { answerAs } from '../answer-shape.ts';
import type { Ask, AskRequest, Grant, SourceCredentials } from '../port.ts';
import { SourceError } from '../source-error.ts';

interface MicrosoftCloud {
  readonly graph: string;
  readonly login: string;
}

/** A fixed list: a free address would get the token of the account. */
export const CLOUDS: Readonly<Record<string, MicrosoftCloud>> = {
  global: { graph: 'https://graph.microsoft.com', login: 'https://login.microsoftonline.com' },
  usgov: { graph: 'https://graph.microsoft.us', login: 'https://login.microsoftonline.us' },
  'usgov-dod': { graph: 'https://dod-graph.microsoft.us', login: 'https://login.microsoftonline.us' },
  china: { graph: 'https://microsoftgraph.chinacloudapi.cn', login: 'https://login.chinacloudapi.cn' },
};

export const cloudOf = ({ metadata }: Grant): MicrosoftCloud => {
  const cloud = CLOUDS[typeof metadata.cloud === 'string' ? metadata.cloud : 'global'] ?? CLOUDS.global;
  if (cloud === undefined) throw new Error('The list of clouds has no global one.');
  return cloud;
};

/** An app with its own rights in a tenant, without a person that signs in. */
export const isAppOnly = ({ metadata }: Grant): boolean => metadata.tenantId !== undefined;

export interface Graph {
  readonly ask: Ask;
  readonly origin: string;
  readonly signal: AbortSignal;
}

export interface GraphRequest<Shape extends z.ZodType> {
  readonly shape: Shape;
  readonly what: string;
  /** With placeholders for ids. */
  readonly template: string;
  readonly body?: object;
  readonly request?: Pick<AskRequest, 'headers' | 'method'>;
  /** Statuses whose answer is null. */
  readonly missing?: readonly number[];
}

/** The token goes to Graph alone, whatever address an answer names. */
export const checkedAddress = ({ origin }: Graph, address: string): string => {
  const url = URL.parse(address);
  if (url?.origin === origin) return address;
  throw new SourceError(
    'bad_answer',
    `Microsoft named an address of ${url?.host ?? 'no host'} for the next page, to which the token is not sent.`,
    { syncGoesOn: 'It is listed again at the next look.' },
  );
};

export const askGraph = async <Shape extends z.ZodType>(
  graph: Graph,
  path: string,
  { shape, what, template, body, request = {}, missing = [] }: GraphRequest<Shape>,
): Promise<z.output<Shape> | null> => {
  const address = path.startsWith('/') ? `${graph.origin}/v1.0${path}` : checkedAddress(graph, path);
  const answer = await graph.ask(
    address,
    {
      ...request,
      ...(body === undefined ? {} : { method: request.method ?? 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...{ accept: missing, template },
    },
    graph.signal,
  );
  if (answer.status < 400) return answerAs(answer, shape, what);
  answer.discard();
  return null;
};

const APP_TOKEN = z.object({ access_token: z.string().min(1), expires_in: z.number() });

/** Null: the connection has no app of its own. */
export const appCredentials = (
  grant: Grant,
  now: () => number = Date.now,
): Extract<SourceCredentials, { kind: 'own-token' }> | null => {
  if (!isAppOnly(grant)) return null;
  const { tenantId, clientId } = grant.metadata;
  const { login, graph } = cloudOf(grant);
  return {
    kind: 'own-token',
    async get(ask, signal) {
      const form = new URLSearchParams({
        ...{ grant_type: 'client_credentials', client_id: String(clientId) },
        ...{ client_secret: grant.secrets.clientSecret ?? '', scope: `${graph}/.default` },
      });
      const answer = await ask(
        `${login}/${encodeURIComponent(String(tenantId))}/oauth2/v2.0/token`,
        {
          ...{
            method: 'POST',
            body: form.toString(),
            accept: [400, 401],
            template: '/{tenant}/oauth2/v2.0/token',
          },
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        },
        signal,
      );
      if (answer.status >= 400) {
        answer.discard();
        throw new SourceError(
          'auth_expired',
          `Microsoft refused the app ${String(clientId)} in the tenant ${String(tenantId)}. Check metadata.tenantId, metadata.clientId, and that metadata.clientSecret has not ended.`,
          { status: answer.status },
        );
      }
      const { access_token: token, expires_in } = await answerAs(answer, APP_TOKEN, 'an access token');
      return { token, endsAt: now() + expires_in * 1000 };
    },
  };
};
