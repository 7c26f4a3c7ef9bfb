// The settings of a whole Memoir on PostgreSQL.

/** Nothing answers there: searches compare exactly. */
const NO_CHROMA = 'http://127.0.0.1:9';

export const onPostgres = (url: string): Record<string, string> => ({
  MEMOIR_DATABASE_URL: url,
  MEMOIR_SECRET_KEY: 'a secret key for tests, long enough',
  CHROMA_URL: NO_CHROMA,
});
