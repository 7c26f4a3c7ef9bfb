// GET /v3/openapi and /v4/openapi: the description of every operation, open without a key.
import type { RequestHandler } from 'express';
import type { Operation } from '../../tools/contract.ts';
import { type OpenApiOptions, openApiDocument } from './openapi-document.ts';
import { sendText } from './send.ts';

export function openApiRoute(operations: readonly Operation[], options: OpenApiOptions) {
  let text: string | undefined;
  const handler: RequestHandler = (_req, res) => {
    text ??= JSON.stringify(openApiDocument(operations, options));
    sendText(res, 200, text);
  };
  return { '/v3/openapi': handler, '/v4/openapi': handler };
}
