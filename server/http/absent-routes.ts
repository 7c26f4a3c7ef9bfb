// Routes that published programs ask for and Memoir has not: each with the thing to use in its place.

interface AbsentRoutes {
  readonly paths: RegExp;
  readonly advice: string;
}

const ABSENT: readonly AbsentRoutes[] = [
  {
    paths: /^\/feedback$/,
    advice: 'Memoir is self-hosted and passes nothing on: tell the owner of this server.',
  },
  { paths: /^\/namespaces$/, advice: 'Use GET /ns.' },
  {
    // The published client does not encode a slash.
    paths: /^\/ns\/.+/,
    advice:
      'The paths below /ns are those of version 5 of the published API; write a slash in an id as %2F, or use the id that Memoir gave.',
  },
  {
    paths: /^\/v3\/(?:me|account(?:\/.*)?|auth\/account(?:\/.*)?)$/,
    advice: 'Memoir has keys and no accounts: GET /v3/session tells whose key calls, and what it may do.',
  },
  {
    paths: /^\/v3\/auth\/(?:billing(?:\/.*)?|usage|usage-events|invoices|auto-topups)$/,
    advice:
      'Memoir is self-hosted and has no bills: GET /v3/session answers the plan "self-hosted", and GET /v3/container-tags/{containerTag} the tokens that language models used.',
  },
  { paths: /^\/conversations$/, advice: 'Use POST /v4/conversations.' },
  { paths: /^\/api\/v1\/memories(?:\/.*)?$/, advice: 'Use /v3/documents.' },
];

export const adviceFor = (path: string): string =>
  ABSENT.find(({ paths }) => paths.test(path))?.advice ?? 'All operations are listed at /v3/openapi.';
