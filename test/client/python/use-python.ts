// Runs flows of the published Python packages.
import { beforeAll } from 'vitest';
import type { useOwnMemoir } from '../../rest/support/use-memoir.ts';
import type { VerifyContext } from '../../spec/verifies.ts';
import { type Found, findPython } from './environment.ts';

/** For a test that runs a flow. */
export const FLOW_LIMIT = { timeoutMs: 120_000 };

interface Given {
  env?: Record<string, string>;
  arguments?: string[];
}

export const usePython = (
  environment: Parameters<typeof findPython>[0],
  api: ReturnType<typeof useOwnMemoir>,
) => {
  let found: Found;
  beforeAll(async () => {
    found = await findPython(environment);
  }, 180_000);
  /** Runs a flow with the two variables that the published packages read. */
  return <Facts>(name: string, context: VerifyContext, { env = {}, ...more }: Given = {}) => {
    if ('missing' in found) return context.skip(found.missing);
    const { url, key } = api.memoir;
    const variables = { SUPERMEMORY_BASE_URL: url, SUPERMEMORY_API_KEY: key, ...env };
    return found.python.flow<Facts>({ name, env: variables, signal: context.signal, ...more });
  };
};
