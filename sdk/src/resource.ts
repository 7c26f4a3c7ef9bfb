// The base class of the generated resources: calls with one answer, and calls that return lists.
import type { RequestOptions } from './options.ts';
import { APIPromise, ListPromise } from './promise.ts';
import type { Call, Send } from './request.ts';

interface Paged {
  readonly pagination: { readonly currentPage: number; readonly totalPages: number };
}

export class Resource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  protected one<T>(call: Call, options?: RequestOptions): APIPromise<T> {
    return new APIPromise<T>(this.#send<T>(call, options));
  }

  /** A list in one answer. */
  protected whole<Page, Item>(
    call: Call,
    options: RequestOptions | undefined,
    items: (page: Page) => readonly Item[],
  ): ListPromise<Page, Item> {
    return new ListPromise<Page, Item>(this.#send<Page>(call, options), { items, next: () => undefined });
  }

  /** A list with pages. */
  protected paged<Page extends Paged, Item>(
    call: Call,
    options: RequestOptions | undefined,
    items: (page: Page) => readonly Item[],
  ): ListPromise<Page, Item> {
    const place = call.method === 'GET' ? 'query' : 'body';
    const next = ({ pagination: { currentPage, totalPages } }: Page) =>
      currentPage >= totalPages
        ? undefined
        : this.paged({ ...call, [place]: { ...call[place], page: currentPage + 1 } }, options, items);
    return new ListPromise<Page, Item>(this.#send<Page>(call, options), { items, next });
  }
}
