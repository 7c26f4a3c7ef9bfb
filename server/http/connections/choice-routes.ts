// The routes of the page on which a person chooses what a connection syncs. All that it does are operations, with the rights
// of the key in its ticket.
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { previewChoice } from '../../../tools/choices/preview-choice.ts';
import { configureConnection } from '../../../tools/connections/configure.ts';
import { getConnection } from '../../../tools/connections/get-by-id.ts';
import { connectionResources } from '../../../tools/connections/resources.ts';
import type { Invoke } from '../../calls/invoke.ts';
import type { Service } from '../../calls/service.ts';
import { MemoirError } from '../../core/errors.ts';
import { messagePage } from '../pages/html.ts';
import { sendPage, visitOf } from '../pages/page-responses.ts';
import { type ChoiceForm, type ChosenEntry, readChoiceForm } from './choice-form.ts';
import { type ShownResource, sourceChoicePage } from './choice-page.ts';

export interface ChoiceDeps {
  readonly invoke: Invoke;
  readonly tickets: Service['signIn']['tickets'];
  readonly grants: Pick<Service['access']['grants'], 'giver'>;
}

type Holder = NonNullable<Awaited<ReturnType<ChoiceDeps['grants']['giver']>>>;

interface Visitor {
  readonly holder: Holder;
  readonly connectionId: string;
  readonly redirectUrl: string | null;
  readonly ticket: string;
  /** Runs an operation with the rights of the key. */
  run(operation: Parameters<Invoke['run']>[0], input: object): Promise<unknown>;
}

const PER_PAGE = 50;
const EXPIRED =
  'This page can be used for an hour, and only while the key that asked for it is valid. Ask for a new one with POST /v3/connections/{id}/picker or "memoir connections choose".';

const shownResources = z.object({
  resources: z.array(
    z.object({
      id: z.coerce.string(),
      name: z.string(),
      kind: z.string().default('resource'),
      path: z.string().optional(),
      hasChildren: z.boolean().default(false),
      selectable: z.boolean().default(true),
      how: z.unknown().optional(),
    }),
  ),
  total_count: z.number().optional(),
  source: z.string().optional(),
});

const ticketVisitor = async (
  { invoke, tickets, grants }: ChoiceDeps,
  req: Request,
  res: Response,
): Promise<Visitor> => {
  const ticket = new URLSearchParams(req.url.split('?')[1] ?? '').get('ticket') ?? '';
  const known = await tickets.read(ticket);
  const holder = known === null ? null : await grants.giver(known.keyId);
  if (known === null || holder === null || known.connection !== req.params.id)
    throw new MemoirError(401, EXPIRED);
  const { meta, signal } = visitOf(req, res);
  return {
    ...{ holder, ticket, connectionId: known.connection, redirectUrl: known.redirectUrl },
    run: (operation, input) => invoke.run(operation, input, holder, { ...meta, signal }),
  };
};

const sizeInWords = (bytes: number): string => {
  const megabytes = bytes / 1024 / 1024;
  return megabytes < 1 ? `${Math.ceil(bytes / 1024)} KB` : `${megabytes.toFixed(1)} MB`;
};

const countedWords = (output: unknown): string => {
  const { found, bytes, skipped, complete } = previewChoice.output.parse(output);
  const least = complete ? '' : 'at least ';
  const left = skipped === 0 ? '' : `, and ${skipped} would be left out`;
  return `Would sync ${least}${found} ${found === 1 ? 'item' : 'items'}${bytes === 0 ? '' : ` (${sizeInWords(bytes)})`}${left}.`;
};

/** A source without a search is searched in the open folder. */
const listShown = async (
  { run, connectionId }: Visitor,
  { trail, words, page }: ChoiceForm['view'],
): Promise<{ resources: ShownResource[]; hasMore: boolean; source: string | undefined }> => {
  const output = await run(connectionResources, {
    ...{ connectionId, page, per_page: PER_PAGE },
    ...(words === '' ? {} : { search: words }),
    ...(trail.length === 0 ? {} : { parent_id: trail.at(-1)?.id }),
  });
  const { resources, total_count: total, source } = shownResources.parse(output);
  const hasMore = total === undefined ? resources.length === PER_PAGE : total > page * PER_PAGE;
  return { resources, hasMore, source };
};

interface Showing {
  readonly visitor: Visitor;
  readonly view: ChoiceForm['view'];
  readonly chosen: readonly ChosenEntry[];
  readonly counted?: string | null;
}

const showChoice = async (
  res: Response,
  { visitor, view, chosen, counted = null }: Showing,
): Promise<void> => {
  const { run, connectionId, ticket, redirectUrl } = visitor;
  const record = getConnection.output.parse(await run(getConnection, { connection: connectionId }));
  const listed = await listShown(visitor, view).catch((error: unknown) => {
    if (error instanceof MemoirError && error.status < 500) return error;
    throw error;
  });
  const problem = listed instanceof MemoirError ? listed.message : null;
  const { resources, hasMore, source } =
    listed instanceof MemoirError ? { resources: [], hasMore: false, source: undefined } : listed;
  const page = sourceChoicePage({
    ...{ view, resources, hasMore, counted, chosen, problem },
    title: source ?? record.provider,
    account: record.email ?? record.account ?? null,
    action: `/connections/${encodeURIComponent(connectionId)}/choose?ticket=${ticket}`,
    canSearch: true,
    formTo: redirectUrl === null ? undefined : new URL(redirectUrl).origin,
  });
  sendPage(res, problem === null ? 200 : 400, page);
};

const presentChoice = async ({ run, connectionId }: Visitor): Promise<ChosenEntry[]> => {
  const record = getConnection.output.parse(await run(getConnection, { connection: connectionId }));
  return [...(record.chosen ?? [])];
};

const saveChoice = async (
  res: Response,
  { run, connectionId, redirectUrl }: Visitor,
  form: ChoiceForm,
): Promise<void> => {
  await run(configureConnection, { connectionId, resources: form.chosen });
  if (redirectUrl === null) {
    const count = form.chosen.length;
    const sentence = `${count === 0 ? 'Nothing is synced until something is chosen' : `${count} chosen. The sync starts now`}. You can close this page.`;
    return sendPage(res, 200, messagePage('Your choice is saved', sentence));
  }
  const address = new URL(redirectUrl);
  address.searchParams.set('connectionId', connectionId);
  address.searchParams.set('status', 'connected');
  res.removeHeader('access-control-allow-origin');
  res.writeHead(303, {
    location: address.href,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  res.end();
};

const TOP: ChoiceForm['view'] = { trail: [], words: '', page: 1 };

export const choiceRoutes = (deps: ChoiceDeps): { show: RequestHandler; answer: RequestHandler } => ({
  async show(req, res) {
    const visitor = await ticketVisitor(deps, req, res);
    await showChoice(res, { visitor, view: TOP, chosen: await presentChoice(visitor) });
  },
  async answer(req, res) {
    const visitor = await ticketVisitor(deps, req, res);
    const form = readChoiceForm(req.body ?? {});
    if (form.step === 'save') return saveChoice(res, visitor, form);
    const { connectionId, run } = visitor;
    const counted =
      form.step === 'count'
        ? countedWords(await run(previewChoice, { connectionId, resources: form.chosen }))
        : null;
    await showChoice(res, { visitor, view: form.view, chosen: form.chosen, counted });
  },
});
