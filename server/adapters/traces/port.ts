// Traces: the spans of one request from its arrival to the store, and of background work, for a collector.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WorkWatch } from '../../lib/async/work-watch.ts';

export interface Tracer {
  /** A span inside the present one, for the time of the work. */
  readonly watch: WorkWatch;
  /** The span of a request over HTTP, inside that of the caller if it sent a `traceparent`. */
  request(req: IncomingMessage, res: ServerResponse, handle: () => void): void;
  /** Work of the request with this id: the event that calls it may have lost its span. */
  inRequest<T>(requestId: string, route: string, work: () => Promise<T>): Promise<T>;
  /** True: the span of the present work is sent, and not left out by sampling. */
  isRecording(): boolean;
  /** Sends what is left, as far as the time allows. */
  close(): Promise<void>;
}
