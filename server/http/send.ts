// Sends answers: JSON or text with its length, or no body.
import type { ServerResponse } from 'node:http';

const JSON_TYPE = 'application/json; charset=utf-8';

export const sendText = (res: ServerResponse, status: number, json: string): void => {
  res.writeHead(status, { 'content-type': JSON_TYPE, 'content-length': Buffer.byteLength(json) });
  res.end(json);
};

export const sendPlain = (res: ServerResponse, status: number, text: string): void => {
  const length = Buffer.byteLength(text);
  res.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': length });
  res.end(text);
};

export const sendJson = (res: ServerResponse, status: number, body: unknown): void => {
  if (status === 204) res.writeHead(204).end();
  else sendText(res, status, JSON.stringify(body));
};
