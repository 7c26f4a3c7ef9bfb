// What the video site says about a video, in the data behind its player or in the head of its page.
import { z } from 'zod';

export interface VideoDetails {
  readonly title?: string;
  readonly author?: string;
  readonly description?: string;
  readonly published?: string;
  /** Seconds. */
  readonly duration?: number;
}

const text = z.string().trim().min(1).optional().catch(undefined);

const player = z.object({
  videoDetails: z
    .object({
      title: text,
      author: text,
      shortDescription: text,
      lengthSeconds: z.coerce.number().optional().catch(undefined),
    })
    .optional(),
  microformat: z
    .object({ playerMicroformatRenderer: z.object({ publishDate: text }).optional() })
    .optional()
    .catch(undefined),
});

const known = (details: Record<keyof VideoDetails, string | number | undefined>): VideoDetails =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));

const detailsIn = (data: unknown): VideoDetails => {
  const read = player.safeParse(data);
  const about = read.data?.videoDetails;
  const duration = about?.lengthSeconds;
  return known({
    title: about?.title,
    author: about?.author,
    description: about?.shortDescription,
    published: read.data?.microformat?.playerMicroformatRenderer?.publishDate,
    duration: duration !== undefined && duration > 0 ? duration : undefined,
  });
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

const ASSIGNED = /ytInitialPlayerResponse\s{0,5}=\s{0,5}(?=\{)/;

/** The object that begins here, by its braces; those inside strings do not count. */
function objectAt(source: string, from: number): string {
  const marks = /["{}]/g;
  marks.lastIndex = from;
  let depth = 0;
  for (let mark = marks.exec(source); mark !== null; mark = marks.exec(source)) {
    if (mark[0] === '"') marks.lastIndex = endOfString(source, mark.index);
    else depth += mark[0] === '{' ? 1 : -1;
    if (depth === 0) return source.slice(from, mark.index + 1);
  }
  return '';
}

function endOfString(source: string, from: number): number {
  for (let at = source.indexOf('"', from + 1); at !== -1; at = source.indexOf('"', at + 1)) {
    let slashes = 0;
    while (source[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return source.length;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

const metaOf = (page: string, name: string): string | undefined => {
  const tag = new RegExp(`<meta (?:property|name)="${name}" content="([^"]{1,5000})"`).exec(page)?.[1];
  return (
    tag?.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity).trim() || undefined
  );
};

const none = { author: undefined, published: undefined, duration: undefined };

/** `body`: of the player's data, or of the page. */
export function readDetails(body: string): VideoDetails {
  if (body.startsWith('{')) return detailsIn(parsed(body));
  const found = ASSIGNED.exec(body);
  const inPage = found === null ? {} : detailsIn(parsed(objectAt(body, found.index + found[0].length)));
  const inHead = known({
    ...none,
    title: metaOf(body, 'og:title'),
    description: metaOf(body, 'og:description') ?? metaOf(body, 'description'),
  });
  return { ...inHead, ...inPage };
}
