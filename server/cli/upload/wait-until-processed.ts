// Waits until a document is done or failed.

import type { z } from 'zod';
import { getDocument } from '../../../tools/documents/get.ts';
import { pause } from '../../lib/async/wait.ts';
import type { Client } from '../connection/client.ts';
import { CommandFailure } from '../failure.ts';
import type { Print } from '../output/print.ts';

type Document = z.output<typeof getDocument.output>;

const FIRST_PAUSE_MS = 30;
const LONGEST_PAUSE_MS = 1_000;

const stepText = ({ step, progress }: Document): string =>
  progress === null ? `${step} …` : `${step}: ${progress.done} of ${progress.total} ${progress.unit} …`;

export const untilFinished = async (
  { call }: Pick<Client, 'call'>,
  id: string,
  print: Pick<Print, 'progress'>,
  limitMs: number,
): Promise<Document> => {
  const began = performance.now();
  for (let waitMs = FIRST_PAUSE_MS; ; waitMs = Math.min(waitMs * 1.5, LONGEST_PAUSE_MS)) {
    const document = await call(getDocument, { id });
    if (document.status === 'done' || document.status === 'failed') return document;
    if (performance.now() - began > limitMs) {
      throw new CommandFailure(
        `The document ${id} is still ${document.step} after ${Math.round(limitMs / 1000)} s. The server continues to process it; "memoir status" shows the queue.`,
        { facts: { id, status: document.status, step: document.step } },
      );
    }
    print.progress(stepText(document));
    await pause(waitMs);
  }
};
