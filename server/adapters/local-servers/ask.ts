// Asks a server on this machine for JSON. Anything may answer at such a port, so time and bytes are bounded, and no
// redirect is followed.
import type { IncomingMessage, RequestOptions } from 'node:http';
import { nodeHttp } from '../../lib/node-http.ts';
import type { AskServer } from './kind.ts';

/** A list of some thousand models. */
const MOST_BYTES = 4_000_000;

const requestHeaders = (body: string | undefined): RequestOptions['headers'] => ({
  accept: 'application/json',
  ...(body === undefined
    ? {}
    : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
});

const sendRequest = (url: URL, body: string | undefined, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    // An agent of its own: that of the process may lead through a proxy.
    const sent = nodeHttp.request(
      url,
      { method: body === undefined ? 'GET' : 'POST', headers: requestHeaders(body), agent: false, signal },
      resolve,
    );
    sent.once('error', reject);
    sent.end(body);
  });

const readAnswerText = async (answer: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    // Leaving the loop ends the connection.
    if (bytes > MOST_BYTES) throw new Error(`The answer has more than ${MOST_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
};

/** Rejects if nothing answers in time, or with something else than JSON. */
export const askServerAt =
  (address: string, signal: AbortSignal): AskServer =>
  async (path, body) => {
    const answer = await sendRequest(
      new URL(address + path),
      body === undefined ? undefined : JSON.stringify(body),
      signal,
    );
    if (answer.statusCode !== 200) {
      answer.destroy();
      return null;
    }
    return JSON.parse(await readAnswerText(answer)) as unknown;
  };
