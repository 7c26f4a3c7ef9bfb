// Parses MEMOIR_OAUTH_CLIENTS: the programs that may ask for access without registration.
import { z } from 'zod';

const oauthProgram = z.strictObject({
  clientId: z.string().min(1).max(200),
  name: z.string().min(1).max(200),
  redirectUris: z.array(z.url().max(2000)).min(1).max(20),
});

export type OauthClient = z.output<typeof oauthProgram>;

const SHAPE =
  'a JSON list, as in [{"clientId": "my-app", "name": "My app", "redirectUris": ["https://my-app.example/callback"]}]';

const jsonOrNull = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const isDistinct = (programs: readonly OauthClient[]): boolean =>
  new Set(programs.map(({ clientId }) => clientId)).size === programs.length;

export const oauthClients = z.string().transform((text, context): OauthClient[] => {
  const read = z.array(oauthProgram).max(100).safeParse(jsonOrNull(text));
  if (read.success && isDistinct(read.data)) return read.data;
  context.addIssue({ code: 'custom', message: `${SHAPE}, each clientId once` });
  return z.NEVER;
});
