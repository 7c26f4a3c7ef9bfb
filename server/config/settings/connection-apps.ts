// The settings of the applications by which connections sign in, for all organisations of the server.
import { z } from 'zod';
import type { SignIn } from '../../adapters/connect/port.ts';
import type { SignInApp } from '../../adapters/connect/signin-port.ts';
import { settingGroup, withoutEffect } from '../declare.ts';

export interface ConnectionAppsConfig {
  /** The apps that are set; settings of the organisation take their place. */
  connectionApps: Readonly<Partial<Record<SignIn['app'], SignInApp>>>;
}

const clientIdOf = (title: string, page: string) => ({
  type: z.string().optional(),
  help: `The client id of your application at ${title}, by which connections sign in. docs/connectors/${page}.md tells how to create it.`,
  default: 'the client id in the settings of the organisation',
});

const clientSecretOf = (title: string) => ({
  type: z.string().optional(),
  help: `The client secret of your application at ${title}.`,
  default: 'the client secret in the settings of the organisation',
  secret: true as const,
});

const appOf = (
  clientId: string | undefined,
  clientSecret: string | undefined,
): { clientId: string; clientSecret: string } | null =>
  clientId === undefined || clientSecret === undefined ? null : { clientId, clientSecret };

export const connectionAppSettings = settingGroup({
  order: 11.5,
  title: 'Applications of connections',
  settings: {
    MEMOIR_GOOGLE_CLIENT_ID: clientIdOf('Google', 'google-drive'),
    MEMOIR_GOOGLE_CLIENT_SECRET: clientSecretOf('Google'),
    MEMOIR_MICROSOFT_CLIENT_ID: clientIdOf('Microsoft', 'onedrive'),
    MEMOIR_MICROSOFT_CLIENT_SECRET: clientSecretOf('Microsoft'),
    MEMOIR_MICROSOFT_TENANT: {
      type: z
        .string()
        .regex(/^[\w.-]{1,100}$/, { error: 'a tenant, as in common or contoso.onmicrosoft.com' })
        .optional(),
      help: 'The tenant whose accounts may sign in at Microsoft: an id, a domain, common, organizations or consumers.',
      default: 'common',
    },
    MEMOIR_NOTION_CLIENT_ID: clientIdOf('Notion', 'notion'),
    MEMOIR_NOTION_CLIENT_SECRET: clientSecretOf('Notion'),
    MEMOIR_GITHUB_CLIENT_ID: clientIdOf('GitHub', 'github'),
    MEMOIR_GITHUB_CLIENT_SECRET: clientSecretOf('GitHub'),
  },
  view: (values): ConnectionAppsConfig => {
    const google = appOf(values.MEMOIR_GOOGLE_CLIENT_ID, values.MEMOIR_GOOGLE_CLIENT_SECRET);
    const microsoft = appOf(values.MEMOIR_MICROSOFT_CLIENT_ID, values.MEMOIR_MICROSOFT_CLIENT_SECRET);
    const notion = appOf(values.MEMOIR_NOTION_CLIENT_ID, values.MEMOIR_NOTION_CLIENT_SECRET);
    const github = appOf(values.MEMOIR_GITHUB_CLIENT_ID, values.MEMOIR_GITHUB_CLIENT_SECRET);
    const tenant = values.MEMOIR_MICROSOFT_TENANT ?? 'common';
    return {
      connectionApps: {
        ...(google === null ? {} : { google }),
        ...(microsoft === null ? {} : { microsoft: { ...microsoft, tenant } }),
        ...(notion === null ? {} : { notion }),
        ...(github === null ? {} : { github }),
      },
    };
  },
  warnings: (values) =>
    ['GOOGLE', 'MICROSOFT', 'NOTION', 'GITHUB'].flatMap((name) => [
      ...withoutEffect(values, `MEMOIR_${name}_CLIENT_SECRET`, [`MEMOIR_${name}_CLIENT_ID`]),
      ...withoutEffect(values, `MEMOIR_${name}_CLIENT_ID`, [`MEMOIR_${name}_CLIENT_SECRET`]),
    ]),
});
