// The address at which sources can call this server.
import { checkTarget } from '../../adapters/fetch/safe/target.ts';

/** Null: it is not known, not https, or inside a private network. */
export const publicHookBase = (baseUrl: string | undefined): string | null => {
  const url = URL.parse(baseUrl ?? '');
  if (baseUrl === undefined || url?.protocol !== 'https:') return null;
  try {
    checkTarget(url, { address: () => false, port: () => true });
    return baseUrl;
  } catch {
    // Its sentence is about reading such an address, and nothing is read there.
    return null;
  }
};
