// A look at all chosen repositories, one after the other.
import { z } from 'zod';
import type { Choice, ChosenResource, LookPage, SourceJson } from '../port.ts';
import { SourceError } from '../source-error.ts';
import type { GitHub } from './api.ts';
import { lookRepository, REPOSITORY_STATE, SHOWN_PART } from './repositories.ts';

/** More would make the cursor too large. */
const MOST_REPOSITORIES = 250;
const CURSOR = z.object({
  version: z.literal(1),
  /** The endings that were listed: with others, every repository is listed anew. */
  endings: z.string(),
  repositories: z.record(z.string(), REPOSITORY_STATE),
  /** The last repository of this look that is done. */
  after: z.string().nullable(),
  /** The repository whose files were shown in part. */
  part: SHOWN_PART.nullable(),
});
type Cursor = z.output<typeof CURSOR>;

const openHubCursor = (cursor: SourceJson, endings: string): Cursor => {
  const parsed = CURSOR.safeParse(cursor);
  if (!parsed.success) return { version: 1, endings, repositories: {}, after: null, part: null };
  if (parsed.data.endings === endings) return parsed.data;
  const repositories = Object.entries(parsed.data.repositories).map(([id, state]) => [
    id,
    { ...state, etag: null },
  ]);
  return { ...parsed.data, endings, repositories: Object.fromEntries(repositories), part: null };
};

const byId = (a: ChosenResource, b: ChosenResource): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const tooManyChosen = (chosen: number): SourceError =>
  new SourceError(
    'bad_options',
    `A connection reads at most ${MOST_REPOSITORIES} repositories, and ${chosen} are chosen. Make a second connection for the others.`,
  );

export async function* lookAtRepositories(
  github: GitHub,
  stored: SourceJson,
  choice: Choice,
  signal: AbortSignal,
): AsyncGenerator<LookPage> {
  const chosen = [...(choice ?? [])].sort(byId);
  if (chosen.length > MOST_REPOSITORIES) throw tooManyChosen(chosen.length);
  const cursor = openHubCursor(stored, github.endings.join(' '));
  const { part, after } = cursor;
  const repositories = new Map(
    chosen.flatMap(({ id }) => {
      const state = cursor.repositories[id];
      return state === undefined ? [] : [[id, state] as const];
    }),
  );
  const cursorAt = (place: Pick<Cursor, 'after' | 'part'>): Cursor => ({
    ...cursor,
    repositories: Object.fromEntries(repositories),
    ...place,
  });
  for (const one of chosen) {
    if (after !== null && one.id <= after) continue;
    const state = repositories.get(one.id) ?? null;
    const own = part?.id === one.id ? part : null;
    const pages = lookRepository(github, { chosen: one, state, part: own }, signal);
    for await (const { part: next, state: found, ...page } of pages) {
      if (found !== undefined) repositories.set(one.id, found);
      yield {
        ...page,
        cursor: cursorAt(next === undefined ? { after: one.id, part: null } : { after, part: next }),
      };
    }
  }
  yield { items: [], cursor: cursorAt({ after: null, part: null }), end: 'delta' };
}
