// Transcripts of videos: the library asks through our own fetch, so that every address is checked and bounded.
import type { TranscriptResponse } from 'youtube-transcript';
import { IngestError } from '../../errors.ts';
import { inMilliseconds, tamed } from './captions.ts';
import { textOf } from './download.ts';
import { fetchError, httpError } from './failures.ts';
import type { SpokenLine, WebVideo } from './port.ts';
import type { Fetched, SafeFetch } from './safe-fetch.ts';
import { readDetails, type VideoDetails } from './video-details.ts';
import { videoAddress } from './videos.ts';

const MOST_PAGE_BYTES = 10 * 1024 * 1024;
const LONGEST_FACT = 500;

/** What went over the line beside the transcript itself. */
interface Heard {
  details: VideoDetails;
  milliseconds: boolean;
  /** The library hides what goes wrong behind "there is no transcript". */
  trouble: IngestError | null;
}

const isCaptions = (url: string): boolean => !/\/(?:watch|youtubei)\b/.test(new URL(url).pathname);

const headersOf = (given: HeadersInit | undefined): Record<string, string> =>
  Object.fromEntries(new Headers(given).entries());

/** The `fetch` that the library is given. */
const listening =
  (safeFetch: SafeFetch, signal: AbortSignal, heard: Heard): typeof fetch =>
  async (input, init) => {
    const url = String(input);
    try {
      const answer = await safeFetch(url, {
        signal,
        method: init?.method === 'POST' ? 'POST' : 'GET',
        headers: headersOf(init?.headers),
        ...(typeof init?.body === 'string' ? { body: init.body } : {}),
      });
      const text = await textOf(answer, MOST_PAGE_BYTES);
      heard.trouble ??= troubleOf(answer);
      if (!isCaptions(url)) heard.details = { ...heard.details, ...readDetails(text) };
      else heard.milliseconds = inMilliseconds(text);
      const shown = isCaptions(url) ? tamed(text) : text;
      return new Response(shown === '' ? null : shown, { status: answer.status });
    } catch (error) {
      if (error instanceof IngestError) heard.trouble ??= error;
      throw error;
    }
  };

const busy = () =>
  fetchError(
    'rate_limited',
    'The video site wants fewer requests from this server; it is asked again later.',
  );

const troubleOf = ({ status, url, headers }: Fetched): IngestError | null => {
  if (status === 429) return busy();
  const error = status >= 400 ? httpError(url.hostname, status, headers['retry-after']) : null;
  return error?.retryable ? error : null;
};

const linesOf = (found: readonly TranscriptResponse[], milliseconds: boolean): SpokenLine[] => {
  const unit = milliseconds ? 1000 : 1;
  return found.flatMap(({ text, offset, duration }) => {
    const said = text.replace(/\s+/g, ' ').trim();
    const startTime = offset / unit;
    return said === '' || !Number.isFinite(startTime)
      ? []
      : [{ text: said, startTime, endTime: startTime + (Number.isFinite(duration) ? duration / unit : 0) }];
  });
};

const NO_TRANSCRIPT =
  'No transcript was given for this video: it has none, or the site refuses this server. Its title and description are kept instead.';

const factsOf = (details: VideoDetails, url: string): Record<string, string | number> => ({
  site: 'YouTube',
  canonicalUrl: url,
  ...(details.author === undefined ? {} : { author: details.author.slice(0, LONGEST_FACT) }),
  ...(details.published === undefined ? {} : { published: details.published.slice(0, LONGEST_FACT) }),
  ...(details.duration === undefined ? {} : { duration: details.duration }),
});

/** What can still be told when there is no transcript. */
const withoutTranscript = (id: string, error: unknown, { details, trouble }: Heard): string => {
  // Where the site is only busy with others or away for a moment, the transcript is worth another try.
  if (trouble?.retryable && trouble.code !== 'rate_limited') throw trouble;
  if (details.title !== undefined || details.description !== undefined) return NO_TRANSCRIPT;
  if (trouble !== null) throw trouble;
  const name = error instanceof Error ? error.constructor.name : '';
  if (name === 'YoutubeTranscriptTooManyRequestError') throw busy();
  if (name === 'YoutubeTranscriptVideoUnavailableError')
    throw fetchError('video_unavailable', `The video ${id} is not there any more, or is private.`, {
      cause: error,
    });
  throw fetchError(
    'transcript_unavailable',
    `Of the video ${id} neither a transcript nor a title was given. Upload the video or its subtitles as a file.`,
    { cause: error },
  );
};

export async function readVideo(id: string, safeFetch: SafeFetch, signal: AbortSignal): Promise<WebVideo> {
  const { fetchTranscript } = await import('youtube-transcript');
  const heard: Heard = { details: {}, milliseconds: false, trouble: null };
  let lines: SpokenLine[] = [];
  let failed: unknown = null;
  try {
    const found = await fetchTranscript(id, { fetch: listening(safeFetch, signal, heard) });
    lines = linesOf(found, heard.milliseconds);
  } catch (error) {
    signal.throwIfAborted();
    failed = error;
  }
  const url = videoAddress(id);
  const { title, description } = heard.details;
  return {
    what: 'video',
    url,
    lines,
    metadata: factsOf(heard.details, url),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    // An empty list is how the library tells that the site sent nothing.
    ...(lines.length > 0 ? {} : { note: withoutTranscript(id, failed, heard) }),
  };
}
