// One job in the child: what it is, who reads it, how patient the parent has to be.
import { detect } from '../detect/detect.ts';
import { extractors } from '../extractors.ts';
import type { ContentKind, ContentPart } from '../port.ts';
import type { ChildJob, Done } from '../protocol.ts';
import { createContent, type Place } from './content.ts';
import { createSink } from './sink.ts';

type Told = Parameters<typeof createSink>[1];

const QUICK: ReadonlySet<ContentKind> = new Set(['text', 'markdown', 'html', 'json', 'subtitles', 'code']);

export async function readContent(
  job: ChildJob,
  place: Place,
  tell: Told,
  send: (parts: readonly ContentPart[]) => Promise<void>,
): Promise<Done> {
  const detected = await detect(job);
  if (!QUICK.has(detected.kind)) tell({ event: 'pace', pace: 'document' });
  const sink = createSink(detected, tell, send);
  const extract = await extractors[detected.kind]();
  await extract(createContent(job, detected, place), sink);
  return sink.end();
}
