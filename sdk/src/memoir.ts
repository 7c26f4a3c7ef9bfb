// The client: every resource of the service, with shortcuts such as `client.add` and `client.search`.
import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ContentTooLargeError,
  InternalServerError,
  MemoirError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from './errors.ts';
import { type ClientOptions, type RequestOptions, resolveSettings } from './options.ts';
import type { APIPromise } from './promise.ts';
import { createSend } from './request.ts';
import { Documents as PlainDocuments, Profile, Resources, Search } from './resources.generated.ts';
import type {
  Document,
  DocumentsAddRequest,
  DocumentsAddResponse,
  ProfileGetRequest,
  ProfileGetResponse,
  SearchMemoriesRequest,
  SearchMemoriesResponse,
} from './types.generated.ts';
import { toFile } from './uploads.ts';
import { type WaitOptions, waitFor } from './waiting.ts';

export class Documents extends PlainDocuments {
  /** Waits until the document is done; throws DocumentFailedError if it cannot be processed. */
  waitFor(id: string, options: WaitOptions = {}): Promise<Document> {
    return waitFor((each) => this.get(id, each), options);
  }

  /** Adds a document and waits until it is searchable. */
  async addAndWait(params: DocumentsAddRequest, options: WaitOptions = {}): Promise<Document> {
    const { onProgress: _progress, until: _until, waitFor: _most, ...request } = options;
    const { id } = await this.add(params, request);
    try {
      return await this.waitFor(id, options);
    } catch (error) {
      // The wait ended by a failure, and only the error can still tell the id.
      if (error instanceof MemoirError && !error.message.includes(id))
        error.message += ` The document ${id} is stored. Wait for it with documents.waitFor('${id}').`;
      throw error;
    }
  }
}

export type SearchCall = Search &
  ((params: SearchMemoriesRequest, options?: RequestOptions) => APIPromise<SearchMemoriesResponse>);

export type ProfileCall = Profile &
  ((params: ProfileGetRequest, options?: RequestOptions) => APIPromise<ProfileGetResponse>);

/** Makes a resource callable: `client.search(…)` in addition to `client.search.documents(…)`. */
const callable = <Part extends object, Made extends (...args: never[]) => unknown>(
  resource: Part,
  made: Made,
): Part & Made =>
  new Proxy(made, {
    get(target, name) {
      if (!(name in resource)) return Reflect.get(target, name);
      const value: unknown = Reflect.get(resource, name, resource);
      return typeof value === 'function' ? value.bind(resource) : value;
    },
  }) as unknown as Part & Made;

export class Memoir extends Resources {
  static readonly Memoir = Memoir;
  static readonly MemoirError = MemoirError;
  static readonly APIError = APIError;
  static readonly APIConnectionError = APIConnectionError;
  static readonly APIConnectionTimeoutError = APIConnectionTimeoutError;
  static readonly APIUserAbortError = APIUserAbortError;
  static readonly BadRequestError = BadRequestError;
  static readonly AuthenticationError = AuthenticationError;
  static readonly PermissionDeniedError = PermissionDeniedError;
  static readonly NotFoundError = NotFoundError;
  static readonly ConflictError = ConflictError;
  static readonly ContentTooLargeError = ContentTooLargeError;
  static readonly UnprocessableEntityError = UnprocessableEntityError;
  static readonly RateLimitError = RateLimitError;
  static readonly InternalServerError = InternalServerError;
  static readonly toFile = toFile;

  readonly baseURL: string;
  override readonly documents: Documents;
  override readonly search: SearchCall;
  override readonly profile: ProfileCall;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions = {}) {
    const settings = resolveSettings(options);
    const send = createSend(settings);
    super(send);
    this.#options = options;
    this.baseURL = settings.baseURL;
    this.documents = new Documents(send);
    const search = new Search(send);
    this.search = callable(search, search.memories.bind(search));
    const profile = new Profile(send);
    this.profile = callable(profile, profile.get.bind(profile));
  }

  /** The same as `documents.add`. */
  add(params: DocumentsAddRequest, options?: RequestOptions): APIPromise<DocumentsAddResponse> {
    return this.documents.add(params, options);
  }

  /** The same client with other options. */
  withOptions(options: ClientOptions): Memoir {
    return new Memoir({ ...this.#options, ...options });
  }

  /** Returns a client that adds this container tag to every call that accepts one and names none. */
  tag(containerTag: string): Memoir {
    return this.withOptions({ containerTag });
  }
}
