// The name and the media type of a downloaded file: from the headers, else from its address.

const EXTENDED = /filename\*\s*=\s*(?:utf-8|iso-8859-1)?'[^']{0,20}'([^;\s]{1,600})/i;
const QUOTED = /filename\s*=\s*"((?:[^"\\]|\\.){1,600})"/i;
const PLAIN = /filename\s*=\s*([^;\s"]{1,600})/i;

const decodeUri = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const withoutPath = (name: string): string => name.replace(/^.*[/\\]/, '').trim();

export const downloadName = (disposition: string | undefined, url: URL): string | undefined => {
  const header = disposition ?? '';
  const extended = EXTENDED.exec(header)?.[1];
  const plain = QUOTED.exec(header)?.[1]?.replace(/\\(.)/g, '$1') ?? PLAIN.exec(header)?.[1];
  const name = extended === undefined ? plain : decodeUri(extended);
  return withoutPath(name ?? decodeUri(url.pathname)) || undefined;
};

const CHARSET = /charset\s*=\s*"?([\w.:-]{1,40})/i;

export const mediaTypeOf = (contentType: string | undefined): { mimeType?: string; charset?: string } => {
  const mimeType = contentType?.split(';')[0]?.trim().toLowerCase();
  const charset = CHARSET.exec(contentType ?? '')?.[1];
  return { ...(mimeType ? { mimeType } : {}), ...(charset === undefined ? {} : { charset }) };
};
