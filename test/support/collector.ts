// A collector of OpenTelemetry on the loopback: takes OTLP over HTTP, and keeps the spans that it gets.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface OtlpAttribute {
  key: string;
  value: Record<string, unknown>;
}

export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  kind: number;
  status: { code?: number };
  attributes: OtlpAttribute[];
}

export interface TestCollector {
  url: string;
  /** The bodies as they came. */
  bodies: string[];
  spans(): ReceivedSpan[];
  close(): Promise<void>;
}

interface OtlpTraces {
  resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

export const attributeOf = ({ attributes }: ReceivedSpan, name: string): unknown =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0];

export const startCollector = async (): Promise<TestCollector> => {
  const bodies: string[] = [];
  const server = createServer(async (req, res) => {
    const body = await text(req);
    if (req.method === 'POST' && req.url === '/v1/traces') bodies.push(body);
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    spans: () =>
      bodies
        .flatMap((body) => (JSON.parse(body) as OtlpTraces).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
