// Opens traces where the settings ask for them. Their packages are no dependency: most servers send none.
import type { Tracer } from './port.ts';

/** The versions that Memoir is tested with. */
const PACKAGES = [
  'api@1',
  'core@2',
  'context-async-hooks@2',
  'exporter-trace-otlp-http@0.223',
  'resources@2',
  'sdk-trace-base@2',
];

const MISSING = `Traces are asked for, and the packages that send them are not installed, so none are sent. Run: npm install ${PACKAGES.map((name) => `@opentelemetry/${name}`).join(' ')}`;

const isNotInstalled = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes('@opentelemetry/');

/** Null: nothing is traced. */
export const openTraces = async (
  wanted: boolean,
  warn: (problem: string) => void,
): Promise<Tracer | null> => {
  if (!wanted) return null;
  try {
    const { openTracer } = await import('./opentelemetry.ts');
    return openTracer({ warn: (problem) => warn(`Traces are not sent: ${problem}`) });
  } catch (error) {
    if (!isNotInstalled(error)) throw error;
    warn(MISSING);
    return null;
  }
};
