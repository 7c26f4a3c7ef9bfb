// What the shared contract asks of the fake of a provider.
import type { AccessTokens } from '../../../server/adapters/connect/ask.ts';
import type { Choice, Grant } from '../../../server/adapters/connect/port.ts';
import type { FakeRequest, FakeServer } from '../../fakes/support/fake-server.ts';

export interface SourceFake {
  /** Real origins and the loopback ones that stand for them. */
  readonly standIns?: Readonly<Record<string, string>>;
  /** Hosts that the source asks at their own address, as "127.0.0.1:4000". */
  readonly privateHosts?: readonly string[];
  readonly grant: Grant;
  /** For a source with a sign-in: the token that the fake takes now, and after `expireToken` another one. */
  readonly tokens?: AccessTokens;
  readonly choice?: Choice;
  readonly server: Pick<FakeServer, 'addFault' | 'requests'>;
  /** Requests of the listing, for faults. */
  readonly isListing: (request: FakeRequest) => boolean;
  /** Requests that read an item. */
  readonly isReading: (request: FakeRequest) => boolean;
  /** Makes an item with this text, or changes the text of the one of this name. Resolves with its id in the source. */
  put(name: string, text: string): Promise<string>;
  /** Removes it; the next look must show that. */
  remove(name: string): Promise<void>;
  /** The same item under another name. Missing: an item is its name. */
  rename?(name: string, to: string): Promise<void>;
  /** Brings back what was removed, under its old id. Missing: as a new `put`. */
  restore?(name: string): Promise<void>;
  /** The next use of a cursor is refused. Missing: a cursor cannot be refused. */
  refuseCursor?(): void;
  /** The token that was given out ends. Missing: the source has no tokens that end. */
  expireToken?(): void;
  /** The item exists and cannot be read by this account. */
  forbid?(name: string): void;
  /** The listing says that it is larger than what is read. */
  makeTooLarge?(name: string): void;
  /** Each page of the listing is the first one. */
  repeatPages?(): void;
  /** False: a look does not tell that an item is gone; reading it does. */
  readonly showsRemovals?: false;
  /** The key of the connection is not accepted any more. Missing: the source takes no key. */
  revoke?(): void;
  close(): Promise<void>;
}
