// Streams a file as a multipart form and reports the progress.
import { randomUUID } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { nodeHttp } from '../../lib/node-http.ts';
import { type LocalFile, readPieces } from './local-files.ts';

export interface FormRequest {
  url: string;
  key: string;
  fields: Readonly<Record<string, unknown>>;
  file: LocalFile;
  /** Receives the number of bytes sent so far. */
  sent: (bytes: number) => void;
}

const LINE = '\r\n';
/** The longest silence of the server. */
const SILENCE_MS = 120_000;

/** Lists and objects are sent as JSON. */
const fieldText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Escapes a name as browsers do in forms. */
const quotedFieldName = (name: string): string =>
  name.replace(/[\r\n"]/g, (mark) => `%${mark.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`);

const fieldPart = (boundary: string, name: string, value: unknown): string =>
  `--${boundary}${LINE}content-disposition: form-data; name="${quotedFieldName(name)}"${LINE}${LINE}${fieldText(value)}${LINE}`;

const filePart = (boundary: string, name: string): string =>
  `--${boundary}${LINE}content-disposition: form-data; name="file"; filename="${quotedFieldName(name)}"${LINE}` +
  `content-type: application/octet-stream${LINE}${LINE}`;

async function* formBody(head: Buffer, { file, sent }: FormRequest, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  yield* readPieces(file, sent);
  yield tail;
}

export interface FormAnswer {
  status: number;
  text: string;
}

const drained = (request: ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      request.off('drain', go).off('close', go);
      resolve();
    };
    request.on('drain', go).on('close', go);
  });

export const sendForm = (asked: FormRequest, signal?: AbortSignal): Promise<FormAnswer> => {
  const boundary = `memoir-${randomUUID()}`;
  const fields = Object.entries(asked.fields).filter(([, value]) => value !== undefined);
  const head = Buffer.from(
    fields.map(([name, value]) => fieldPart(boundary, name, value)).join('') +
      filePart(boundary, asked.file.name),
  );
  const tail = Buffer.from(`${LINE}--${boundary}--${LINE}`);
  const send = asked.url.startsWith('https:') ? secureRequest : nodeHttp.request;
  return new Promise((resolve, reject) => {
    const request = send(asked.url, {
      method: 'POST',
      timeout: SILENCE_MS,
      ...(signal === undefined ? {} : { signal }),
      headers: {
        authorization: `Bearer ${asked.key}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
        'content-length': head.length + asked.file.bytes + tail.length,
      },
    });
    let answered = false;
    const fail = (error: unknown) => {
      // A server that refuses a file closes the connection before the upload ends.
      if (!answered) reject(error);
    };
    const answer = async (response: IncomingMessage) => {
      answered = true;
      resolve({ status: response.statusCode ?? 0, text: await text(response) });
      request.destroy();
    };
    const write = async () => {
      for await (const piece of formBody(head, asked, tail)) {
        if (answered) return;
        if (!request.write(piece)) await drained(request);
      }
      request.end();
    };
    request.on('response', (response) => void answer(response).catch(reject));
    request.on('timeout', () => request.destroy(new Error('The server did not answer within two minutes.')));
    request.on('error', fail);
    write().catch((error: unknown) => {
      fail(error);
      request.destroy();
    });
  });
};
