// The addresses of video pages, in every form that the site publishes.

const HOSTS = /^(?:(?:www|m|music|gaming)\.)?youtube(?:-nocookie)?\.com$/;
const IN_PATH = /^\/(?:embed|v|vi|e|shorts|live|watch)\/([\w-]{11})(?=$|[/?&])/;
const ID = /^[\w-]{11}$/;

const idOrNull = (text: string | null | undefined): string | null =>
  text !== null && text !== undefined && ID.test(text) ? text : null;

/** The id of the video; null for any other page. */
export const videoId = (url: URL): string | null => {
  const host = url.hostname.toLowerCase();
  if (host === 'youtu.be' || host === 'www.youtu.be') return idOrNull(url.pathname.split('/')[1]);
  if (!HOSTS.test(host)) return null;
  const inPath = IN_PATH.exec(url.pathname)?.[1];
  if (inPath !== undefined) return inPath;
  const { searchParams } = url;
  const wrapped = url.pathname === '/attribution_link' ? searchParams.get('u') : searchParams.get('url');
  const inner = wrapped === null ? null : URL.parse(wrapped, url);
  if (
    inner !== null &&
    inner.href !== url.href &&
    !inner.searchParams.has('url') &&
    !inner.searchParams.has('u')
  )
    return videoId(inner);
  return idOrNull(searchParams.get('v') ?? searchParams.get('vi'));
};

export const videoAddress = (id: string): string => `https://www.youtube.com/watch?v=${id}`;
