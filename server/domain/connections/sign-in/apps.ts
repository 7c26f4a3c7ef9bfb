// The application by which a connection signs in: that of the organisation, else that of the server.
import type { SignIn } from '../../../adapters/connect/port.ts';
import type { SignInApp } from '../../../adapters/connect/signin-port.ts';
import { badRequest, type MemoirError } from '../../../core/errors.ts';
import type { SecretName, StoredSettings } from '../../settings/stored-settings.ts';

type AppName = SignIn['app'];

export interface AppsDeps {
  /** The settings of the organisation. */
  readonly read: () => Promise<StoredSettings>;
  readonly secret: (name: SecretName) => Promise<string | null>;
  /** The apps of the server, from its environment. */
  readonly defaults: Readonly<Partial<Record<AppName, SignInApp>>>;
}

interface AppSettings {
  readonly prefix: 'googleDrive' | 'onedrive' | 'notion' | 'github';
  readonly variable: string;
  readonly page: string;
}

const SETTINGS: Readonly<Record<AppName, AppSettings>> = {
  google: { prefix: 'googleDrive', variable: 'MEMOIR_GOOGLE_CLIENT', page: 'google-drive' },
  microsoft: { prefix: 'onedrive', variable: 'MEMOIR_MICROSOFT_CLIENT', page: 'onedrive' },
  notion: { prefix: 'notion', variable: 'MEMOIR_NOTION_CLIENT', page: 'notion' },
  github: { prefix: 'github', variable: 'MEMOIR_GITHUB_CLIENT', page: 'github' },
};

const ownApp = async ({ read, secret, defaults }: AppsDeps, name: AppName): Promise<SignInApp | null> => {
  const { prefix } = SETTINGS[name];
  const stored = await read();
  const clientId = stored[`${prefix}ClientId`];
  if (stored[`${prefix}CustomKeyEnabled`] !== true || typeof clientId !== 'string' || clientId === '')
    return null;
  const clientSecret = await secret(`${prefix}ClientSecret`);
  const tenant = defaults[name]?.tenant;
  return clientSecret === null
    ? null
    : { clientId, clientSecret, ...(tenant === undefined ? {} : { tenant }) };
};

/** Null: there is none. */
export const findApp = async (deps: AppsDeps, name: AppName): Promise<SignInApp | null> =>
  (await ownApp(deps, name)) ?? deps.defaults[name] ?? null;

export const noApp = (name: AppName, title: string, redirectAddress: string): MemoirError => {
  const { prefix, variable, page } = SETTINGS[name];
  return badRequest(
    `Nobody can sign in to ${title}, because this server has no application there. Create one with the redirect address ${redirectAddress}, then set ${variable}_ID and ${variable}_SECRET, or ${prefix}ClientId, ${prefix}ClientSecret and ${prefix}CustomKeyEnabled with PATCH /v3/settings. docs/connectors/${page}.md has the steps, and the ways without an application.`,
  );
};
