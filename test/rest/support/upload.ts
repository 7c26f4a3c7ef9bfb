// Uploads as callers write them: forms of parts in the order given, by fetch or by hand.
import { type ClientRequest, request } from 'node:http';
import type { Answer, TestMemoir } from '../../support/memoir.ts';
import type { DocumentBody, Refusal, Rest } from './use-memoir.ts';

export type Part = readonly [name: string, value: string | Blob, fileName?: string];

export type Accepted = Answer<{ id: string; status: string } & Refusal>;

export const fileOf = (content: string | Uint8Array<ArrayBuffer> | Buffer, type = ''): Blob =>
  new Blob([typeof content === 'string' ? content : new Uint8Array(content)], { type });

const formOf = (parts: readonly Part[]): FormData => {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, fileName ?? 'file');
  }
  return form;
};

export const postForm = async (
  { url, key }: Pick<TestMemoir, 'url' | 'key'>,
  parts: readonly Part[] | FormData,
  more: { key?: string } = {},
): Promise<Accepted> => {
  const response = await fetch(`${url}/v3/documents/file`, {
    method: 'POST',
    headers: { authorization: `Bearer ${more.key ?? key}` },
    body: parts instanceof FormData ? parts : formOf(parts),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as never };
};

/** Uploads, expects that it is taken, and waits until it is done or failed. */
export const upload = async (
  api: Rest,
  content: string | Buffer,
  name: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<DocumentBody & { note: string | null; raw: unknown }> => {
  const parts = [...Object.entries(fields), ['file', fileOf(content), name] as const];
  const { status, body } = await postForm(api.memoir, parts);
  if (status !== 200) throw new Error(`upload answered ${status}: ${JSON.stringify(body)}`);
  return (await api.settled(body.id)) as never;
};

export interface RawForm {
  path?: string;
  headers?: Record<string, string | number>;
  key?: string;
  /** Undefined: the connection is cut after the last of them. */
  pieces: AsyncIterable<Buffer | string> | Iterable<Buffer | string>;
  cut?: boolean;
}

export interface RawAnswer {
  status: number;
  text: string;
  /** The number of bytes sent when the answer came. */
  sent: number;
}

export const BOUNDARY = 'memoir-test-boundary';

export const head = (name: string, fileName?: string): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"\r\ncontent-type: application/octet-stream`}\r\n\r\n`;

export const END = `\r\n--${BOUNDARY}--\r\n`;

const drained = (req: ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    const go = () => {
      req.off('drain', go).off('close', go);
      resolve();
    };
    req.on('drain', go).on('close', go);
  });

/** By hand, piece by piece; null: the connection was cut before an answer came. */
export const sendRaw = (
  memoir: TestMemoir,
  { pieces, headers, cut, key }: RawForm,
): Promise<RawAnswer | null> =>
  new Promise((resolve, reject) => {
    let sent = 0;
    let answered = false;
    const req = request(`${memoir.url}/v3/documents/file`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key ?? memoir.key}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        ...headers,
      },
    });
    req.on('response', (res) => {
      answered = true;
      const before = sent;
      let text = '';
      res.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text, sent: before }));
    });
    req.on('error', (error) => (cut ? resolve(null) : answered ? undefined : reject(error)));
    const write = async () => {
      for await (const piece of pieces) {
        if (answered) return;
        sent += piece.length;
        if (!req.write(piece)) await drained(req);
      }
      if (cut) req.destroy();
      else req.end();
    };
    write().catch(reject);
  });
