// Formats that are recognised and not read, with advice for each.
import type { IngestError } from '../../../core/errors.ts';
import { failure } from '../failures.ts';

const ADVICE: readonly (readonly [pattern: RegExp, what: string, next: string])[] = [
  [/^ole\/xls/, 'Old Excel files (.xls) are not read.', 'Save it as .xlsx and send that file.'],
  [/^ole\/ppt/, 'Old PowerPoint files (.ppt) are not read.', 'Save it as .pptx and send that file.'],
  [/^ole\/msg/, 'Outlook messages (.msg) are not read.', 'Send the text of the message.'],
  [/^image\//, 'Pictures in this format are not read.', 'Save it as PNG or JPG and send that file.'],
  [
    /^(?:audio|video)\//,
    'Recordings in this format are not read.',
    'Convert it to MP3, M4A, WAV or MP4 and send that file.',
  ],
  [/zip|compressed|tar|gzip|rar|7z|archive/, 'Archives are not read.', 'Unpack it and send the files in it.'],
];

/** `mimeType`: as the bytes say; null where no format is recognised. */
export const unsupported = (mimeType: string | null): IngestError => {
  if (mimeType === null)
    return failure('unsupported_type', { what: 'These are binary data in an unknown format.' });
  const [, what, next] = ADVICE.find(([pattern]) => pattern.test(mimeType)) ?? [];
  if (what === undefined || next === undefined)
    return failure('unsupported_type', { what: `Content of the type ${mimeType} cannot be read.` });
  return failure('unsupported_type', { what, next });
};
