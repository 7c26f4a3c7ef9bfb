// The settings of the sign-in by a provider of identities.
import { z } from 'zod';
import { type SettingTexts, settingGroup } from '../declare.ts';
import { webAddress } from '../value-types.ts';

export interface OidcConfig {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Whoever has an address in one of these domains becomes a member at the first sign-in. */
  domains: readonly string[];
}

export interface SignInConfig {
  /** Null: nobody signs in by a provider. */
  oidc: OidcConfig | null;
}

const TOGETHER = ['MEMOIR_OIDC_ISSUER', 'MEMOIR_OIDC_CLIENT_ID', 'MEMOIR_OIDC_CLIENT_SECRET'];

const incomplete = (given: SettingTexts): string[] => {
  const missing = TOGETHER.filter((name) => given[name] === undefined);
  if (missing.length > 0 && missing.length < TOGETHER.length)
    return [
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing: ${TOGETHER.join(', ')} belong together.`,
    ];
  if (missing.length === TOGETHER.length && given.MEMOIR_OIDC_DOMAINS !== undefined)
    return ['MEMOIR_OIDC_DOMAINS needs MEMOIR_OIDC_ISSUER.'];
  if (missing.length === 0 && given.MEMOIR_BASE_URL === undefined)
    return [
      'MEMOIR_OIDC_ISSUER needs MEMOIR_BASE_URL, because the provider sends people back to that address.',
    ];
  return [];
};

export const signInSettings = settingGroup({
  order: 17,
  title: 'Sign-in',
  settings: {
    MEMOIR_OIDC_ISSUER: {
      type: webAddress.optional(),
      help: 'The OpenID Connect provider that signs members in, as in https://accounts.example.org. Its redirect address is /console/oidc/callback below MEMOIR_BASE_URL.',
      default: 'none; members sign in by mail or with a personal key',
    },
    MEMOIR_OIDC_CLIENT_ID: {
      type: z.string().optional(),
      help: 'The client id that the provider gave to this server.',
      default: 'none; MEMOIR_OIDC_ISSUER needs it',
    },
    MEMOIR_OIDC_CLIENT_SECRET: {
      type: z.string().optional(),
      help: 'The client secret that belongs to it.',
      default: 'none; MEMOIR_OIDC_ISSUER needs it',
      secret: true,
    },
    MEMOIR_OIDC_DOMAINS: {
      type: z
        .string()
        .transform((text) =>
          text
            .toLowerCase()
            .split(/[,\s]+/)
            .filter((one) => one !== ''),
        )
        .refine((domains) => domains.every((one) => /^[a-z0-9.-]+\.[a-z0-9-]+$/.test(one)), {
          error: 'domains, as in example.org,example.com',
        })
        .optional(),
      help: 'Domains of addresses, separated by commas. Whoever signs in by the provider with a verified address in one of them becomes a member.',
      default: 'none; a person has to be invited first',
    },
  },
  view: (values): SignInConfig => {
    const { MEMOIR_OIDC_ISSUER: issuer, MEMOIR_OIDC_CLIENT_ID: clientId } = values;
    const clientSecret = values.MEMOIR_OIDC_CLIENT_SECRET;
    if (issuer === undefined || clientId === undefined || clientSecret === undefined) return { oidc: null };
    return { oidc: { issuer, clientId, clientSecret, domains: values.MEMOIR_OIDC_DOMAINS ?? [] } };
  },
  problems: incomplete,
});
