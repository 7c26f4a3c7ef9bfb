// The port of outside sources that are kept in sync with documents: one file for each source. A source lists what changed
// (a look) and reads single items; schedule, ledger, limits, pace and secrets are the engine's.

import type { SourceError } from './source-error.ts';

export const PROVIDERS = [
  'google-drive',
  'gmail',
  'onedrive',
  'notion',
  'github',
  's3',
  'web-crawler',
] as const;
export type Provider = (typeof PROVIDERS)[number];

export type SourceValue = string | number | boolean;
export type SourceJson = null | SourceValue | readonly SourceJson[] | { readonly [name: string]: SourceJson };

/** The sign-in of a source by OAuth, as data. A PKCE challenge and a state are always sent. */
export interface SignIn {
  /** The application whose client id and secret are used; Google Drive and Gmail share theirs. */
  readonly app: 'google' | 'microsoft' | 'notion' | 'github';
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** The address that ends an access; `{clientId}` stands for the application. Without `revokeAs` by the published standard. */
  readonly revokeUrl?: string;
  readonly revokeAs?: { readonly method: 'POST' | 'DELETE'; readonly tokenField: string };
  readonly scopes: readonly string[];
  /** The way in which the client proves itself at the token address. */
  readonly clientAuth: 'body' | 'basic';
  /** Further parameters of the authorization address. */
  readonly extra?: Readonly<Record<string, string>>;
  /** True: an answer without a refresh token is refused, because the access would end within the hour. */
  readonly needsRefreshToken?: boolean;
}

/** The options and secrets that a connection was given by its maker or by the sign-in; `secrets` are opened and live in memory only. */
export interface Grant {
  readonly metadata: Readonly<Record<string, SourceValue>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** The way in which the requests of an open source prove who asks. */
export type SourceCredentials =
  /** The source signs its requests itself, or reads the public web. */
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly token: string }
  /** By the sign-in: `Ask` refreshes the access token. */
  | { readonly kind: 'signed-in' }
  /** A short-lived token that the source gets for itself, as for a service account. `get` asks without a token. */
  | {
      readonly kind: 'own-token';
      get(ask: Ask, signal: AbortSignal): Promise<{ token: string; endsAt: number }>;
    };

export interface AskRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Statuses besides 2xx that are an answer and no failure, as in 304 or 404. A redirect among them is not followed. */
  readonly accept?: readonly number[];
  /** Without the token of the connection, as for a pre-signed address. */
  readonly anonymous?: boolean;
  /** At least this long after the end of the request before, as a host asks for in its robots.txt. */
  readonly pauseMs?: number;
  /** The path with placeholders for ids, for the log; without it the log has the host alone. */
  readonly template?: string;
}

export interface SourceAnswer {
  readonly status: number;
  /** After all redirects. SourceCredentials do not travel to another origin. */
  readonly url: string;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** Both refuse more than 20 MB. A body that is not JSON is a SourceError `bad_answer`. */
  json(): Promise<unknown>;
  text(): Promise<string>;
  /** Read it to its end or call `discard`. */
  stream(): AsyncGenerator<Buffer>;
  discard(): void;
}

/**
 * The only way of a source to the network. It adds the token, keeps the pace, waits as told (`Retry-After`), refreshes
 * once after a 401, repeats what failed in passing, counts and logs. It rejects with a SourceError.
 */
export type Ask = (address: string, request?: AskRequest, signal?: AbortSignal) => Promise<SourceAnswer>;

/** The word of the source about a refused request, where the status alone does not tell. */
export type RefusalVerdict =
  | 'throttled'
  /** Throttled until this time, as a header of its own says. */
  | { readonly until: number }
  | 'signed_out'
  | 'unavailable'
  /** A refusal for good that the source explains. */
  | SourceError
  | null;

export interface SourceTools {
  readonly ask: Ask;
  /** Reads a page in an extraction process. */
  readonly readLinks: (html: string, url: string, signal: AbortSignal) => Promise<PageLinks>;
  readonly now: () => number;
}

export interface PageLinks {
  /** Complete addresses, without those that say `nofollow`. */
  readonly links: readonly string[];
  readonly canonical: string | null;
  readonly title: string | null;
  /** A hash of the readable text: markup that changes with each answer does not change it. */
  readonly textMark: string;
  /** From `<meta name="robots">`. */
  readonly noIndex: boolean;
  readonly noFollow: boolean;
}

/** The selection that a person made; null: none yet. An empty list selects nothing. */
export type Choice = readonly ChosenResource[] | null;

export interface ChosenResource {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** The things that the source needs to know about it besides. */
  readonly how?: SourceJson;
}

/** Everything about an item that people see and that can change without its content. */
export interface Face {
  /** Empty: reading the content tells it, and a change of the face alone leaves it. */
  readonly title: string;
  readonly url?: string;
  /** `/Folder/name`, for sources with paths; without it, the ledger builds it from the parents where the source has folders. */
  readonly path?: string;
  /** The type of its document, as in google_doc; without it, the type is detected from the content. */
  readonly type?: string;
  /** The last edit upstream, in milliseconds. */
  readonly editedAt?: number;
  readonly metadata: Readonly<Record<string, SourceValue>>;
}

export interface Skip {
  /** As in type, size, storage_class, lfs, no_download. */
  readonly code: string;
  /** Names the item and the reason, for people. */
  readonly message: string;
}

export interface Seen {
  readonly id: string;
  readonly kind: 'file' | 'folder' | 'gone';
  /** The id of its folder, for sources with folders. */
  readonly parent?: string;
  /** A fingerprint of the content. Equal marks: the content is not read again. */
  readonly mark: string;
  readonly face: Face;
  readonly bytes?: number;
  readonly skip?: Skip;
  /** Container tags of its own in place of those of the connection. */
  readonly tags?: readonly string[];
  /** The things that `read` needs to know. */
  readonly how?: SourceJson;
}

/** Items and the cursor that follows them are stored in one transaction. */
export interface LookPage {
  readonly items: readonly Seen[];
  /** At most 64 KB. A look that is stopped after any page goes on from here, in any process. */
  readonly cursor: SourceJson;
  /** On the last page. `whole`: this look showed everything, so that what it did not show is gone. */
  readonly end?: 'delta' | 'whole';
  /** The look showed everything whose id begins with one of these, so that what it did not show of them is gone. */
  readonly covered?: readonly string[];
  /** True: everything that was read before is wanted again, because only reading tells whether it changed. */
  readonly again?: true;
  /** True: forget what this look showed so far and list everything anew, as after a refused cursor. */
  readonly restart?: true;
}

export type Taken = {
  /** The part of the face that the content tells better than the listing did. */
  readonly face?: Partial<Face>;
  /**
   * The fingerprint of the content, where the listing does not tell it. It comes back as `takenMark`; the mark of the
   * listing still decides whether an item is read again.
   */
  readonly mark?: string;
  /** Items that the content leads to, as the links of a page. Those that the ledger knows already stay as they are. */
  readonly found?: readonly Seen[];
  /** For people, on the document. */
  readonly note?: string;
} & (
  | {
      readonly content: 'file';
      readonly name: string;
      readonly mediaType?: string;
      bytes(): AsyncGenerator<Buffer>;
    }
  /** `mediaType` decides how it is read, as in text/markdown, text/html, or application/vnd.memoir.mail+json. */
  | { readonly content: 'text'; readonly text: string; readonly mediaType: string }
  /** The same as at the last time, as told by the source (304). */
  | { readonly content: 'unchanged' }
  /** There is nothing to store: it is noted with the reason, and the document of an earlier reading is removed. */
  | { readonly content: 'nothing'; readonly skip: Skip }
);

export interface Resource {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly path?: string;
  readonly hasChildren: boolean;
  /** False: it only holds others, as a site holds its drives. */
  readonly selectable: boolean;
  /** Further fields in the published form, as those of a repository. */
  readonly published?: Readonly<Record<string, SourceJson>>;
  readonly how?: SourceJson;
}

export interface Watch {
  readonly id: string;
  /** Null: it does not end. */
  readonly endsAt: number | null;
  /** The things that `unwatch` needs besides. */
  readonly how?: SourceJson;
}

export interface HookDelivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Its beginning: at most 64 KB, because nothing of a large one is needed but its signature. */
  readonly body: Buffer;
  /** The HMAC-SHA256 of the whole body with the secret, in hexadecimal. */
  readonly hmac: string;
  /** The secret that was given to `watch`; empty: the source has not told it yet. */
  readonly secret: string;
}

export type HookVerdict =
  /** Look soon; `delivery` identifies a repeated delivery. */
  | { readonly kind: 'wake'; readonly delivery: string | null }
  /** Genuine, and nothing to do. */
  | { readonly kind: 'ignore' }
  /** A greeting that wants these bytes back as plain text. */
  | { readonly kind: 'answer'; readonly text: string }
  /** The first delivery of a hook that people made by hand names the secret of the later ones: it is sealed and shown once. */
  | { readonly kind: 'secret'; readonly secret: string }
  | { readonly kind: 'refuse' };

export interface Account {
  readonly account: string;
  readonly email?: string;
  /** Options that the source corrects, as the region of a bucket; they are stored with the connection. */
  readonly options?: Readonly<Record<string, SourceValue>>;
}

export interface OpenSource {
  /** The account, and at the same time the check of the credentials. */
  who(signal: AbortSignal): Promise<Account>;
  /** A null cursor asks for everything. */
  look(cursor: SourceJson, choice: Choice, signal: AbortSignal): AsyncGenerator<LookPage>;
  read(item: ReadItem, signal: AbortSignal): Promise<Taken>;
  /** Many items by one request, where the source can; those that are missing in the answer are read one by one. */
  readonly readTogether?: {
    readonly most: number;
    read(items: readonly ReadItem[], signal: AbortSignal): Promise<ReadonlyMap<string, Taken>>;
  };
  browse?(
    parent: string | null,
    page: number,
    perPage: number,
    signal: AbortSignal,
  ): Promise<{ resources: readonly Resource[]; total?: number }>;
  /** By words of the name, in all that can be chosen. */
  find?(words: string, most: number, signal: AbortSignal): Promise<readonly Resource[]>;
  /** For sources whose listing proves nothing. */
  exists?(item: ReadItem, signal: AbortSignal): Promise<'here' | 'gone' | 'unknown'>;
  /** One watch for the connection, or for each chosen resource where the source has hooks for each. Null: not possible. */
  watch?(
    choice: Choice,
    address: string,
    secret: string,
    signal: AbortSignal,
  ): Promise<readonly Watch[] | null>;
  unwatch?(watch: Watch, signal: AbortSignal): Promise<void>;
}

export interface ReadItem {
  readonly id: string;
  readonly mark: string;
  readonly face: Face;
  readonly how: SourceJson;
  /** The mark of the content at the last reading; null: it was never read. */
  readonly takenMark: string | null;
}

/** One for each source: data and functions, without state. */
export interface SourceKind {
  readonly provider: Provider;
  /** As people write it: Google Drive. */
  readonly title: string;
  readonly signIn: SignIn | null;
  /** Metadata keys that are sealed and never answered. */
  readonly secrets: readonly string[];
  /** The secrets whose last characters are answered, so that a person can tell which key it is. */
  readonly masked?: readonly string[];
  /** Metadata keys that the source understands itself; all others are copied to the documents. */
  readonly options: readonly string[];
  /** `must`: nothing is synced before a selection was made, unless metadata.syncScope is full where `whole` allows it. */
  readonly choosing: 'never' | 'may' | 'must';
  /** True: metadata.syncScope `full` syncs everything without a selection. */
  readonly whole: boolean;
  readonly pace: { readonly perSecond: number; readonly parallel: number; readonly lookEveryMs: number };
  /** True: items have folders, so that a selection and paths are computed from the ledger. */
  readonly folders: boolean;
  /** True: an item that disappears in the look in which another one appears with its mark was moved, so its document stays. */
  readonly moves?: true;
  /** True: what is read leads to further items, so that a listing does not show all of them. */
  readonly leadsOn?: true;
  /** A sentence that names the wrong or missing option; null: they can be used. Nothing is asked of the network. */
  checkOptions(grant: Grant): string | null;
  credentials(grant: Grant): SourceCredentials;
  /** Null, or missing: the status alone decides. */
  judge?(status: number, headers: Readonly<Record<string, string>>, body: string): RefusalVerdict;
  /** A hook is an alarm clock: nothing of its content is believed. */
  checkHook?(delivery: HookDelivery): HookVerdict;
  /** True: there is one hook for the application, which a person makes at the source. */
  readonly hooksByHand?: true;
  open(grant: Grant, tools: SourceTools): OpenSource;
}
