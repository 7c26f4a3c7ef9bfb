// A query worker of a server: it reads for the store, and runs whole searches.
import { serveQueries } from '../../adapters/store/request-side/serve-queries.ts';
import { createWholeSearches } from './searches.ts';

serveQueries(createWholeSearches);
