// Transcripts of videos. The library sends its requests through our safe fetch, which checks and limits them.
import type { TranscriptResponse } from 'youtube-transcript';
import { IngestError } from '../../../core/errors.ts';
import type { SpokenLine, WebVideo } from '../port.ts';
import { bodyText } from '../safe/download.ts';
import { fetchError, httpError } from '../safe/failures.ts';
import type { Fetched, SafeFetch } from '../safe/safe-fetch.ts';
import { videoAddress } from './addresses.ts';
import { inMilliseconds, repairCaptions } from './captions.ts';
import { readDetails, type VideoDetails } from './details.ts';

const MOST_PAGE_BYTES = 10 * 1024 * 1024;
const LONGEST_FACT = 500;

/** Facts from the answers of the site that the library does not return. */
interface Exchange {
  details: VideoDetails;
  milliseconds: boolean;
  /** The library reports every failure as "there is no transcript". */
  failure: IngestError | null;
}

const isCaptions = (url: string): boolean => !/\/(?:watch|youtubei)\b/.test(new URL(url).pathname);

const plainHeaders = (given: HeadersInit | undefined): Record<string, string> =>
  Object.fromEntries(new Headers(given).entries());

/** The `fetch` of the library. */
const recordingFetch =
  (safeFetch: SafeFetch, signal: AbortSignal, exchange: Exchange): typeof fetch =>
  async (input, init) => {
    const url = String(input);
    try {
      const answer = await safeFetch(url, {
        signal,
        method: init?.method === 'POST' ? 'POST' : 'GET',
        headers: plainHeaders(init?.headers),
        ...(typeof init?.body === 'string' ? { body: init.body } : {}),
      });
      const text = await bodyText(answer, MOST_PAGE_BYTES);
      exchange.failure ??= temporaryFailure(answer);
      if (!isCaptions(url)) exchange.details = { ...exchange.details, ...readDetails(text) };
      else exchange.milliseconds = inMilliseconds(text);
      const shown = isCaptions(url) ? repairCaptions(text) : text;
      return new Response(shown === '' ? null : shown, { status: answer.status });
    } catch (error) {
      if (error instanceof IngestError) exchange.failure ??= error;
      throw error;
    }
  };

const rateLimitError = () =>
  fetchError(
    'rate_limited',
    'The video site limits the rate of requests of this server; it is retried later.',
  );

const temporaryFailure = ({ status, url, headers }: Fetched): IngestError | null => {
  if (status === 429) return rateLimitError();
  const error = status >= 400 ? httpError(url.hostname, status, headers['retry-after']) : null;
  return error?.retryable ? error : null;
};

const spokenLines = (found: readonly TranscriptResponse[], milliseconds: boolean): SpokenLine[] => {
  const unit = milliseconds ? 1000 : 1;
  return found.flatMap(({ text, offset, duration }) => {
    const line = text.replace(/\s+/g, ' ').trim();
    const startTime = offset / unit;
    return line === '' || !Number.isFinite(startTime)
      ? []
      : [{ text: line, startTime, endTime: startTime + (Number.isFinite(duration) ? duration / unit : 0) }];
  });
};

const NO_TRANSCRIPT =
  'No transcript was given for this video: it has none, or the site refuses this server. Its title and description are kept instead.';

const videoFacts = (details: VideoDetails, url: string): Record<string, string | number> => ({
  site: 'YouTube',
  canonicalUrl: url,
  ...(details.author === undefined ? {} : { author: details.author.slice(0, LONGEST_FACT) }),
  ...(details.published === undefined ? {} : { published: details.published.slice(0, LONGEST_FACT) }),
  ...(details.duration === undefined ? {} : { duration: details.duration }),
});

/** The note for a video without a transcript; throws where nothing is known about the video. */
const noteWithoutTranscript = (id: string, error: unknown, { details, failure }: Exchange): string => {
  // A temporary failure of the site is worth a retry.
  if (failure?.retryable && failure.code !== 'rate_limited') throw failure;
  if (details.title !== undefined || details.description !== undefined) return NO_TRANSCRIPT;
  if (failure !== null) throw failure;
  const name = error instanceof Error ? error.constructor.name : '';
  if (name === 'YoutubeTranscriptTooManyRequestError') throw rateLimitError();
  if (name === 'YoutubeTranscriptVideoUnavailableError')
    throw fetchError('video_unavailable', `The video ${id} does not exist any more, or is private.`, {
      cause: error,
    });
  throw fetchError(
    'transcript_unavailable',
    `The site gave neither a transcript nor a title of the video ${id}. Upload the video or its subtitles as a file.`,
    { cause: error },
  );
};

export const readVideo = async (id: string, safeFetch: SafeFetch, signal: AbortSignal): Promise<WebVideo> => {
  const { fetchTranscript } = await import('youtube-transcript');
  const exchange: Exchange = { details: {}, milliseconds: false, failure: null };
  let lines: SpokenLine[] = [];
  let failed: unknown = null;
  try {
    const found = await fetchTranscript(id, { fetch: recordingFetch(safeFetch, signal, exchange) });
    lines = spokenLines(found, exchange.milliseconds);
  } catch (error) {
    signal.throwIfAborted();
    failed = error;
  }
  const url = videoAddress(id);
  const { title, description } = exchange.details;
  return {
    what: 'video',
    url,
    lines,
    metadata: videoFacts(exchange.details, url),
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    // The library returns an empty list when the site sent nothing.
    ...(lines.length > 0 ? {} : { note: noteWithoutTranscript(id, failed, exchange) }),
  };
};
