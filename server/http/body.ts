// Reads request bodies as JSON, for any content type; the size is limited before and after decompression.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { lossOfJson } from '../../tools/documents/schemas/exact-json.ts';
import { jsonOrUndefined } from '../../tools/shared/primitives.ts';
import { badRequest } from '../core/errors.ts';
import { pathText } from '../lib/issues.ts';
import { type BodyLimits, bodyTooLarge, collectBody } from './bodies/collect.ts';
import { hasBody } from './bodies/has-body.ts';

export const MAX_BODY_BYTES = 50 * 1024 * 1024;
/** The most for operations that only read: queries, filters and lists of ids. */
export const MAX_QUERY_BYTES = 1024 * 1024;
/** The room that a body of unknown length needs before it is read. */
const UNKNOWN_LENGTH_BYTES = 1024 * 1024;

const charsetOfBody = (contentType: string): string =>
  /charset="?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Refuses invalid bytes: a decoder that replaces them would change the stored text without notice. */
const decodeBody = (bytes: Buffer, contentType: string): string => {
  const charset = charsetOfBody(contentType);
  try {
    const decoder = charset.toLowerCase() === 'utf-8' ? utf8 : new TextDecoder(charset, { fatal: true });
    return decoder.decode(bytes);
  } catch (cause) {
    throw badRequest(`The request body is not valid ${charset} text. Send JSON as UTF-8.`, { cause });
  }
};

const parseJson = (text: string, contentType: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const sentAs = contentType === '' || /json/i.test(contentType) ? '' : ` (it was sent as ${contentType})`;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw badRequest(`The request body is not valid JSON${sentAs}: ${why}`, { cause });
  }
};

/** Keys can be long and deep. */
const LONGEST_PLACE = 500;

/** Refuses values that would be stored differently from what was sent. */
const refuseLoss = (text: string): void => {
  const loss = lossOfJson(text);
  if (loss === null) return;
  const place = pathText(loss.path).slice(0, LONGEST_PLACE);
  throw badRequest(`Invalid request: ${place}: ${loss.message}`);
};

const parseExactly = (text: string, contentType: string): unknown => {
  if (text.trim() === '') return {};
  const value = parseJson(text, contentType);
  refuseLoss(text);
  return value;
};

/** The text of the body; empty without one. */
const readBodyText = async (
  req: IncomingMessage,
  res: ServerResponse,
  limits: BodyLimits,
): Promise<string> => {
  if (!hasBody(req)) return '';
  const announced = Number(req.headers['content-length'] ?? Math.min(UNKNOWN_LENGTH_BYTES, limits.mostBytes));
  if (announced > limits.mostBytes) throw bodyTooLarge(limits.mostBytes);
  await limits.share.reserve(announced, limits.signal);
  limits.signal.throwIfAborted();
  // The key is checked now, so a client that waits for 100 Continue may send its body.
  if (req.headers.expect !== undefined) res.writeContinue();
  return decodeBody(await collectBody(req, limits), req.headers['content-type'] ?? '');
};

/** A message of an agent; undefined if the body is no JSON, which its protocol answers in a form of its own. */
export const readAgentMessage = async (
  req: IncomingMessage,
  res: ServerResponse,
  limits: BodyLimits,
): Promise<unknown> => {
  const text = await readBodyText(req, res, limits);
  const message = jsonOrUndefined(text);
  if (message !== undefined) refuseLoss(text);
  return message;
};

/** Returns the body as an object; without a body, an empty object. */
export const readJsonBody = async (
  req: IncomingMessage,
  res: ServerResponse,
  limits: BodyLimits,
): Promise<object> => {
  const body = parseExactly(await readBodyText(req, res, limits), req.headers['content-type'] ?? '') ?? {};
  if (typeof body === 'object' && !Array.isArray(body)) return body;
  throw badRequest('The request body must be a JSON object, for example {"content": "…"}.');
};
