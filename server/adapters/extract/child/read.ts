// One job in the child process: detects the kind, reports its time limit, and calls the extractor of that kind.
import { detect } from '../detect/detect.ts';
import { declarationOf, extractorOf } from '../extractor-list.ts';
import type { ChildJob, Done } from '../protocol.ts';
import { type AskParent, createContent, type JobPlace } from './content.ts';
import { createSink, type ParentChannel } from './sink.ts';

export interface JobContext extends ParentChannel {
  readonly place: JobPlace;
  readonly recognise: AskParent;
}

export const readContent = async (
  job: ChildJob,
  { place, recognise, ...channel }: JobContext,
): Promise<Done> => {
  if (job.wants === 'links') {
    const { readLinkedPage } = await import('../html/links.ts');
    return { page: readLinkedPage(job.text ?? '', job.url ?? '') };
  }
  const detected = await detect(job);
  const { pace } = declarationOf(detected.kind);
  if (pace !== 'quick') channel.tell({ event: 'pace', pace });
  const sink = createSink(detected, channel);
  await extractorOf(detected.kind).read(createContent({ job, place, recognise }, detected), sink);
  return sink.end();
};
