// Gmail on loopback: threads with messages and labels, and the history of their changes.
import type { gmail_v1 } from '@googleapis/gmail';
import { googleError, invalidCredentials, notFound } from './google/errors.ts';
import {
  type FakeAnswer,
  type FakeRequest,
  type FakeServer,
  startFakeServer,
} from './support/fake-server.ts';

type Message = gmail_v1.Schema$Message;
type Part = gmail_v1.Schema$MessagePart;

export interface NewMail {
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
  readonly text?: string;
  readonly html?: string;
  /** Names of attached files. */
  readonly attachments?: readonly string[];
  readonly labels?: readonly string[];
  /** The bodies come as attachments without a name, as long ones do. */
  readonly apart?: boolean;
}

export interface FakeGmail extends FakeServer {
  /** Returns the id of the thread. */
  addThread(mail: NewMail): string;
  reply(thread: string, mail: NewMail): string;
  label(thread: string, add: readonly string[], remove?: readonly string[]): void;
  /** For good. */
  deleteThread(thread: string): void;
  messagesOf(thread: string): readonly Message[];
  /** The history before now is forgotten. */
  forgetHistory(): void;
}

interface MailModel {
  readonly threads: Map<string, Message[]>;
  readonly bodies: Map<string, string>;
  readonly mostPerPage: number;
  history: gmail_v1.Schema$History[];
  oldest: number;
  number: number;
}

const HIDDEN = ['SPAM', 'TRASH', 'DRAFT'];

const nextNumber = (model: MailModel): number => {
  model.number += 1;
  return model.number;
};

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

const bodyPart = (model: MailModel, mimeType: string, text: string, apart: boolean): Part => {
  const headers = [{ name: 'Content-Type', value: `${mimeType}; charset="UTF-8"` }];
  const size = Buffer.byteLength(text);
  if (!apart) return { partId: '0', mimeType, filename: '', headers, body: { size, data: encoded(text) } };
  const attachmentId = `body-${nextNumber(model)}`;
  model.bodies.set(attachmentId, text);
  return { partId: '0', mimeType, filename: '', headers, body: { size, attachmentId } };
};

const payloadOf = (model: MailModel, mail: NewMail): Part => {
  const { text, html, attachments = [], apart = false } = mail;
  const bodies = [
    ...(text === undefined ? [] : [bodyPart(model, 'text/plain', text, apart)]),
    ...(html === undefined ? [] : [bodyPart(model, 'text/html', html, apart)]),
  ];
  const files = attachments.map(
    (filename): Part => ({
      ...{ partId: '1', mimeType: 'application/pdf', filename },
      body: { attachmentId: `file-${filename}`, size: 9 },
    }),
  );
  const headers = [
    { name: 'Subject', value: mail.subject ?? 'A subject' },
    { name: 'From', value: mail.from ?? 'Ann Example <ann@example.org>' },
    { name: 'To', value: mail.to ?? 'Ben Example <ben@example.org>' },
  ];
  return {
    ...{ mimeType: 'multipart/mixed', filename: '', headers, body: { size: 0 } },
    parts: [{ mimeType: 'multipart/alternative', filename: '', body: { size: 0 }, parts: bodies }, ...files],
  };
};

/** The messages of an entry have no content. */
const entryOf = ({ id, threadId, labelIds }: Message): Message => ({
  id: id ?? '',
  threadId: threadId ?? '',
  labelIds: [...(labelIds ?? [])],
});

const addMessage = (model: MailModel, thread: string, mail: NewMail): string => {
  const number = nextNumber(model);
  const message: Message = {
    ...{ id: `m${number}`, threadId: thread, historyId: String(number) },
    labelIds: [...(mail.labels ?? ['INBOX', 'UNREAD'])],
    internalDate: String(Date.UTC(2026, 0, 1) + number * 60_000),
    payload: payloadOf(model, mail),
  };
  model.threads.set(thread, [...(model.threads.get(thread) ?? []), message]);
  model.history.push({ id: String(number), messagesAdded: [{ message: entryOf(message) }] });
  return message.id ?? '';
};

const threadHistoryId = (messages: readonly Message[]): string =>
  String(Math.max(...messages.map(({ historyId }) => Number(historyId))));

const isListed = (messages: readonly Message[], label: string | null): boolean =>
  messages.some(
    ({ labelIds = [] }) =>
      !(labelIds ?? []).some((one) => HIDDEN.includes(one)) && (label === null || labelIds?.includes(label)),
  );

const pageOf = <T>(model: MailModel, all: readonly T[], { searchParams: query }: URL) => {
  const from = Number(query.get('pageToken') ?? 0);
  const to = from + Math.min(Number(query.get('maxResults') ?? 100), model.mostPerPage);
  return { some: all.slice(from, to), more: to < all.length ? { nextPageToken: String(to) } : {} };
};

const listThreads = (model: MailModel, url: URL): FakeAnswer => {
  const label = url.searchParams.get('labelIds');
  const all = [...model.threads].filter(([, messages]) => isListed(messages, label)).reverse();
  const { some, more } = pageOf(model, all, url);
  const body: gmail_v1.Schema$ListThreadsResponse = {
    threads: some.map(([id, messages]) => ({ id, historyId: threadHistoryId(messages), snippet: '' })),
    resultSizeEstimate: all.length,
    ...more,
  };
  return { body };
};

const listHistory = (model: MailModel, url: URL): FakeAnswer => {
  const from = Number(url.searchParams.get('startHistoryId'));
  if (from < model.oldest) return googleError(404, 'notFound', 'Requested entity was not found.');
  const { some, more } = pageOf(
    model,
    model.history.filter(({ id }) => Number(id) > from),
    url,
  );
  const body: gmail_v1.Schema$ListHistoryResponse = {
    history: [...some],
    historyId: String(model.number),
    ...more,
  };
  return { body };
};

const getThread = ({ threads }: MailModel, id: string, format: string | null): FakeAnswer => {
  const messages = threads.get(id);
  if (messages === undefined) return notFound(id);
  const shown = format === 'minimal' ? messages.map(({ payload: _, ...rest }) => rest) : messages;
  const body: gmail_v1.Schema$Thread = { id, historyId: threadHistoryId(messages), messages: shown };
  return { body };
};

const routeMail = (model: MailModel, { url }: FakeRequest): FakeAnswer => {
  const path = url.pathname.replace(/^\/gmail\/v1\/users\/me/, '');
  const profile: gmail_v1.Schema$Profile = {
    ...{ emailAddress: 'ann@example.org', historyId: String(model.number), threadsTotal: model.threads.size },
  };
  if (path === '/profile') return { body: profile };
  if (path === '/threads') return listThreads(model, url);
  if (path === '/history') return listHistory(model, url);
  if (path === '/labels') return { body: { labels: labels satisfies gmail_v1.Schema$Label[] } };
  const thread = /^\/threads\/([^/]+)$/.exec(path)?.[1];
  if (thread !== undefined) return getThread(model, thread, url.searchParams.get('format'));
  const body = model.bodies.get(/^\/messages\/[^/]+\/attachments\/([^/]+)$/.exec(path)?.[1] ?? '');
  return body === undefined ? notFound(path) : { body: { size: body.length, data: encoded(body) } };
};

const labels = [
  { id: 'INBOX', name: 'INBOX', type: 'system' },
  { id: 'TRASH', name: 'TRASH', type: 'system' },
  { id: 'Label_1', name: 'Projects', type: 'user' },
];

const changeLabels = (
  model: MailModel,
  thread: string,
  add: readonly string[],
  remove: readonly string[],
): void => {
  const changed = (model.threads.get(thread) ?? []).map((message): Message => {
    const id = String(nextNumber(model));
    const kept = (message.labelIds ?? []).filter((label) => !remove.includes(label));
    const after = { ...message, historyId: id, labelIds: [...new Set([...kept, ...add])] };
    const entry = { message: entryOf(after) };
    model.history.push({
      id,
      ...(add.length === 0 ? {} : { labelsAdded: [{ ...entry, labelIds: [...add] }] }),
      ...(remove.length === 0 ? {} : { labelsRemoved: [{ ...entry, labelIds: [...remove] }] }),
    });
    return after;
  });
  model.threads.set(thread, changed);
};

/** `accepts` decides about the token of a request. */
export const startFakeGmail = async (
  accepts: (token: string) => boolean = () => true,
  { mostPerPage = 500 }: { mostPerPage?: number } = {},
): Promise<FakeGmail> => {
  const model: MailModel = {
    ...{ threads: new Map(), bodies: new Map(), mostPerPage, history: [], oldest: 0, number: 100 },
  };
  const server = await startFakeServer((request) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    return token === undefined || !accepts(token) ? invalidCredentials : routeMail(model, request);
  });
  return {
    ...server,
    addThread(mail) {
      const thread = `t${nextNumber(model)}`;
      addMessage(model, thread, mail);
      return thread;
    },
    reply: (thread, mail) => addMessage(model, thread, mail),
    label: (thread, add, remove = []) => changeLabels(model, thread, add, remove),
    deleteThread(thread) {
      for (const message of model.threads.get(thread) ?? [])
        model.history.push({
          id: String(nextNumber(model)),
          messagesDeleted: [{ message: entryOf(message) }],
        });
      model.threads.delete(thread);
    },
    messagesOf: (thread) => model.threads.get(thread) ?? [],
    forgetHistory() {
      model.history = [];
      model.oldest = nextNumber(model);
    },
  };
};
