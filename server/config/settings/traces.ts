// The settings of traces. They have the names that OpenTelemetry gave them; its packages read all others of theirs themselves.
import { z } from 'zod';
import { settingGroup } from '../declare.ts';

export interface TracesConfig {
  /** True: spans are sent to a collector. */
  traces: boolean;
}

const text = z.string().optional();

export const tracesSettings = settingGroup({
  order: 15,
  title: 'Traces',
  settings: {
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      type: text,
      help: 'The address of a collector of OpenTelemetry that takes OTLP over HTTP, as in http://localhost:4318: traces are sent to it. Needs the packages that docs/operations/traces.md names.',
      default: 'none; nothing is traced',
    },
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
      type: text,
      help: 'The address for traces alone, with its path, as in http://localhost:4318/v1/traces.',
      default: 'OTEL_EXPORTER_OTLP_ENDPOINT and /v1/traces',
    },
    OTEL_EXPORTER_OTLP_PROTOCOL: {
      type: text,
      help: 'Traces are sent as http/json, which every collector takes where it takes http/protobuf; gRPC is not spoken.',
      default: 'http/json',
    },
    OTEL_TRACES_EXPORTER: {
      type: text,
      help: 'With otlp traces are sent, also without an address (to http://localhost:4318); with none they are not.',
      default: 'otlp where an address is set',
    },
    OTEL_SDK_DISABLED: {
      type: text,
      help: 'With true nothing is traced.',
      default: 'false',
    },
  },
  view: (values): TracesConfig => ({
    traces:
      values.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
      (values.OTEL_TRACES_EXPORTER === undefined
        ? values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined ||
          values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT !== undefined
        : values.OTEL_TRACES_EXPORTER.split(',').some((each) => each.trim() === 'otlp')),
  }),
  warnings: ({ OTEL_EXPORTER_OTLP_PROTOCOL: protocol, OTEL_TRACES_EXPORTER: exporter = '' }) => [
    ...(protocol === 'grpc'
      ? [
          'OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and Memoir sends traces over HTTP. Name the HTTP port of the collector, usually 4318.',
        ]
      : []),
    ...(exporter === '' || /^(?:otlp|none)$/.test(exporter)
      ? []
      : ['OTEL_TRACES_EXPORTER names an exporter that Memoir does not have. It knows otlp and none.']),
  ],
});
