// The details of a video, from the data of its player or from the head of its page.
import { z } from 'zod';

export interface VideoDetails {
  readonly title?: string;
  readonly author?: string;
  readonly description?: string;
  readonly published?: string;
  /** Seconds. */
  readonly duration?: number;
}

const optionalText = z.string().trim().min(1).optional().catch(undefined);

const player = z.object({
  videoDetails: z
    .object({
      title: optionalText,
      author: optionalText,
      shortDescription: optionalText,
      lengthSeconds: z.coerce.number().optional().catch(undefined),
    })
    .optional(),
  microformat: z
    .object({ playerMicroformatRenderer: z.object({ publishDate: optionalText }).optional() })
    .optional()
    .catch(undefined),
});

const definedDetails = (details: Record<keyof VideoDetails, string | number | undefined>): VideoDetails =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));

const playerDetails = (data: unknown): VideoDetails => {
  const read = player.safeParse(data);
  const about = read.data?.videoDetails;
  const duration = about?.lengthSeconds;
  return definedDetails({
    title: about?.title,
    author: about?.author,
    description: about?.shortDescription,
    published: read.data?.microformat?.playerMicroformatRenderer?.publishDate,
    duration: duration !== undefined && duration > 0 ? duration : undefined,
  });
};

const parsePlayerData = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

const ASSIGNED = /ytInitialPlayerResponse\s{0,5}=\s{0,5}(?=\{)/;

/** The JSON object that begins here. Braces inside strings do not count. */
const objectAt = (source: string, from: number): string => {
  const marks = /["{}]/g;
  marks.lastIndex = from;
  let depth = 0;
  for (let mark = marks.exec(source); mark !== null; mark = marks.exec(source)) {
    if (mark[0] === '"') marks.lastIndex = endOfQuotedText(source, mark.index);
    else depth += mark[0] === '{' ? 1 : -1;
    if (depth === 0) return source.slice(from, mark.index + 1);
  }
  return '';
};

const endOfQuotedText = (source: string, from: number): number => {
  for (let at = source.indexOf('"', from + 1); at !== -1; at = source.indexOf('"', at + 1)) {
    let slashes = 0;
    while (source[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return source.length;
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

const metaTag = (page: string, name: string): string | undefined => {
  const tag = new RegExp(`<meta (?:property|name)="${name}" content="([^"]{1,5000})"`).exec(page)?.[1];
  return (
    tag?.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity).trim() || undefined
  );
};

const UNKNOWN = { author: undefined, published: undefined, duration: undefined };

/** `body`: the data of the player, or the page. */
export const readDetails = (body: string): VideoDetails => {
  if (body.startsWith('{')) return playerDetails(parsePlayerData(body));
  const found = ASSIGNED.exec(body);
  const inPage =
    found === null ? {} : playerDetails(parsePlayerData(objectAt(body, found.index + found[0].length)));
  const inHead = definedDetails({
    ...UNKNOWN,
    title: metaTag(body, 'og:title'),
    description: metaTag(body, 'og:description') ?? metaTag(body, 'description'),
  });
  return { ...inHead, ...inPage };
};
