// GET /v3/openapi and /v4/openapi: the OpenAPI document, without a key.
import type { RequestHandler } from 'express';
import type { Operation } from '../../../tools/operation.ts';
import { sendText } from '../send.ts';
import { type OpenApiOptions, openApiDocument } from './document.ts';

export const openApiRoute = (operations: readonly Operation[], options: OpenApiOptions) => {
  let text: string | undefined;
  const handler: RequestHandler = (_req, res) => {
    text ??= JSON.stringify(openApiDocument(operations, options));
    sendText(res, 200, text);
  };
  return { '/v3/openapi': handler, '/v4/openapi': handler };
};
