// A query worker that reads for a store alone.
import { serveQueries } from './serve-queries.ts';

serveQueries(() => ({}));
