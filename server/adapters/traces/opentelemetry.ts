// Traces by the packages of OpenTelemetry, which read their environment variables themselves. No attribute holds content: paths,
// queries and messages of errors may, so they are left out.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type Tracer as SpanMaker,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { MemoirError } from '../../core/errors.ts';
import { VERSION } from '../../core/version.ts';
import { pause } from '../../lib/async/wait.ts';
import { failureCode, type WorkFacts, type WorkWatch } from '../../lib/async/work-watch.ts';
import type { Tracer } from './port.ts';

export interface TracerOptions {
  /** Told what keeps spans from being sent, at most once a minute. */
  warn(problem: string): void;
}

const CLOSE_MS = 2_000;
const WARN_MS = 60_000;
/** Asked by machines every few seconds. */
const UNTRACED = /^\/(?:health|metrics)(?:[/?]|$)/;

const spanAttributes = (facts: WorkFacts = {}): WorkFacts =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [`memoir.${name}`, value]));

/** A refusal of the caller's own making is no error of the server. */
const markFailed = (span: Span, code: string): void => {
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

const noteError = (span: Span, error: unknown): void => {
  if (error instanceof MemoirError && error.status < 500) span.setAttribute('memoir.status', error.status);
  else markFailed(span, error instanceof MemoirError ? String(error.status) : failureCode(error));
};

const createSpans =
  (spans: SpanMaker): WorkWatch =>
  async (name, work, { facts, failureOf } = {}) => {
    const span = spans.startSpan(name, { attributes: spanAttributes(facts) });
    try {
      const result = await context.with(trace.setSpan(context.active(), span), work);
      const failure = failureOf?.(result) ?? null;
      if (failure !== null) markFailed(span, failure);
      return result;
    } catch (error) {
      noteError(span, error);
      throw error;
    } finally {
      span.end();
    }
  };

const headerGetter = {
  keys: (headers: IncomingMessage['headers']) => Object.keys(headers),
  get: (headers: IncomingMessage['headers'], name: string) => headers[name],
};

/** The spans of requests over HTTP, and by the id of each its place for what happens in it. */
const createRequestSpans = (spans: SpanMaker): Pick<Tracer, 'request' | 'inRequest'> => {
  const propagator = new W3CTraceContextPropagator();
  const places = new Map<string, Context>();

  const begin = (req: IncomingMessage, res: ServerResponse, handle: () => void): void => {
    const method = req.method ?? 'GET';
    const parent = propagator.extract(ROOT_CONTEXT, req.headers, headerGetter);
    const attributes = { 'http.request.method': method };
    const span = spans.startSpan(`HTTP ${method}`, { kind: SpanKind.SERVER, attributes }, parent);
    const place = trace.setSpan(parent, span);
    context.with(place, handle);
    const id = String(res.getHeader('x-request-id') ?? '');
    span.setAttribute('memoir.request_id', id);
    places.set(id, place);
    res.once('close', () => {
      places.delete(id);
      span.setAttribute('http.response.status_code', res.statusCode);
      if (res.statusCode >= 500) markFailed(span, String(res.statusCode));
      span.end();
    });
  };

  return {
    request(req, res, handle) {
      if (UNTRACED.test(req.url ?? '')) handle();
      else begin(req, res, handle);
    },
    inRequest(requestId, route, work) {
      const place = places.get(requestId) ?? context.active();
      const span = trace.getSpan(place);
      span?.updateName(route).setAttribute('http.route', route.slice(route.indexOf(' ') + 1));
      return context.with(place, work);
    },
  };
};

/** A collector that is away fails with every batch. */
const atMostEveryMinute = (warn: TracerOptions['warn']): ((message: string, ...more: unknown[]) => void) => {
  let last = Number.NEGATIVE_INFINITY;
  return (message, ...more) => {
    if (performance.now() - last < WARN_MS) return;
    last = performance.now();
    warn([message, ...more].map(String).join(' '));
  };
};

export const openTracer = ({ warn }: TracerOptions): Tracer => {
  const told = atMostEveryMinute(warn);
  const silent = () => undefined;
  diag.setLogger(
    { error: told, warn: told, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const own = resourceFromAttributes({ 'service.name': 'memoir', 'service.version': VERSION });
  const provider = new BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const spans = provider.getTracer('memoir', VERSION);
  return {
    watch: createSpans(spans),
    ...createRequestSpans(spans),
    isRecording: () => trace.getActiveSpan()?.isRecording() ?? false,
    close: async () => {
      await Promise.race([provider.shutdown().catch(silent), pause(CLOSE_MS)]);
    },
  };
};
