// Which extractor reads which kind of content. Each is loaded in the child process, on first use.
import type { Extracted, ExtractJob } from './port.ts';

export type Extract = (job: ExtractJob) => Extracted | Promise<Extracted>;

export const extractors: Readonly<Record<ExtractJob['kind'], () => Promise<Extract>>> = {
  html: async () => (await import('./html.ts')).extractHtml,
};
