// The bodies that a library parses: forms of pages, and the JSON of sessions. Its refusals become refusals of this server.
import express, { type RequestHandler } from 'express';
import { badRequest, MemoirError } from '../../core/errors.ts';
import { fieldsOf } from '../../lib/objects.ts';
import { clientClosed } from './collect.ts';

const KIB = 1024;

/** By the names that the library gives them. */
const REFUSALS: Readonly<Record<string, (mostBytes: number, cause: unknown) => Error>> = {
  'request.aborted': () => clientClosed('body'),
  'entity.too.large': (mostBytes) =>
    new MemoirError(413, `The body is larger than ${mostBytes / KIB} KiB, the most that is read here.`),
  'parameters.too.many': () => new MemoirError(413, 'The form has too many fields. Open the page again.'),
  // Its message would repeat a part of the body, which may be a key.
  'entity.parse.failed': () =>
    badRequest('The body is not valid JSON. Send an object, as in {"key":"sm_..."}.'),
  'charset.unsupported': (_, cause) => badRequest('Send the body as UTF-8.', { cause }),
  'encoding.unsupported': (_, cause) => badRequest('Send the body without a content encoding.', { cause }),
};

const isRefusal = (status: unknown): boolean => typeof status === 'number' && status >= 400 && status < 500;

const refusalOfBody = (error: unknown, mostBytes: number): unknown => {
  const { type, status } = fieldsOf(error);
  const known = REFUSALS[String(type)];
  if (known !== undefined) return known(mostBytes, error);
  if (!isRefusal(status)) return error;
  return badRequest('The body cannot be read: it is damaged or incomplete. Send it again.', { cause: error });
};

const explained =
  (parse: RequestHandler, mostBytes: number): RequestHandler =>
  async (req, res, next) => {
    await new Promise<void>((resolve, reject) => {
      const done = (error?: unknown): void =>
        error === undefined ? resolve() : reject(refusalOfBody(error, mostBytes));
      void parse(req, res, done);
    });
    next();
  };

/** The form of a page. */
export const formBody = (mostBytes: number, mostFields: number): RequestHandler =>
  explained(express.urlencoded({ extended: false, limit: mostBytes, parameterLimit: mostFields }), mostBytes);

export const jsonBody = (mostBytes: number): RequestHandler =>
  explained(express.json({ limit: mostBytes, type: 'application/json' }), mostBytes);
