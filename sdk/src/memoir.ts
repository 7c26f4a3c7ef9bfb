// The client: every resource of the service, with the shortcuts that people know.
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
import { type ClientOptions, type RequestOptions, settle } from './options.ts';
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
  /** Until the document is done; fails with DocumentFailedError when it cannot be processed. */
  waitFor(id: string, options: WaitOptions = {}): Promise<Document> {
    return waitFor((each) => this.get(id, each), options);
  }

  /** Adds, and waits until it can be searched. */
  async addAndWait(params: DocumentsAddRequest, options: WaitOptions = {}): Promise<Document> {
    const { onProgress: _progress, until: _until, waitFor: _most, ...request } = options;
    const { id } = await this.add(params, request);
    return this.waitFor(id, options);
  }
}

export type SearchCall = Search &
  ((params: SearchMemoriesRequest, options?: RequestOptions) => APIPromise<SearchMemoriesResponse>);

export type ProfileCall = Profile &
  ((params: ProfileGetRequest, options?: RequestOptions) => APIPromise<ProfileGetResponse>);

/** A resource that can be called itself: `client.search(…)` beside `client.search.documents(…)`. */
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
    const settings = settle(options);
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

  /** A client that adds this container tag to every call that takes one and names none. */
  tag(containerTag: string): Memoir {
    return this.withOptions({ containerTag });
  }
}
