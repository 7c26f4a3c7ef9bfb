// Results of calls: promises of the parsed answer, with access to the raw response, and lists that can be iterated.

/** A response with an unread body, and a function that reads it. */
export interface Answer<T> {
  readonly response: Response;
  read(): Promise<T>;
}

/** A promise of the parsed answer. */
export class APIPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'APIPromise';
  readonly #answer: Promise<Answer<T>>;
  #parsed: Promise<T> | undefined;

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer;
  }

  /** The raw response, as soon as its headers arrive; the body is unread. */
  asResponse(): Promise<Response> {
    return this.#answer.then(({ response }) => response);
  }

  /** The parsed answer together with the raw response. */
  async withResponse(): Promise<{ data: T; response: Response; requestID: string | null }> {
    const [data, response] = await Promise.all([this.#data(), this.asResponse()]);
    return { data, response, requestID: response.headers.get('x-request-id') };
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#data().then(fulfilled, rejected);
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.#data().catch(rejected);
  }

  finally(done?: (() => void) | null): Promise<T> {
    return this.#data().finally(done);
  }

  #data(): Promise<T> {
    this.#parsed ??= this.#answer.then((answer) => answer.read());
    return this.#parsed;
  }
}

export interface ListReader<Page, Item> {
  items(page: Page): readonly Item[];
  /** The next page; undefined on the last page. */
  next(page: Page): ListPromise<Page, Item> | undefined;
}

/** Await it for one page; `for await` goes through every item of every page. */
export class ListPromise<Page, Item> extends APIPromise<Page> implements AsyncIterable<Item> {
  readonly #reader: ListReader<Page, Item>;

  constructor(answer: Promise<Answer<Page>>, reader: ListReader<Page, Item>) {
    super(answer);
    this.#reader = reader;
  }

  async *pages(): AsyncGenerator<Page, void, undefined> {
    let current: ListPromise<Page, Item> | undefined = this;
    while (current !== undefined) {
      const page: Page = await current;
      yield page;
      current = this.#reader.next(page);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#reader.items(page);
  }
}
