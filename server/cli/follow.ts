// Follows a document until it is done or failed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { getDocument } from '../../tools/documents/get.ts';
import type { Client } from './client.ts';
import { CommandFailure } from './failure.ts';
import type { Print } from './print.ts';

type Document = z.output<typeof getDocument.output>;

const FIRST_PAUSE_MS = 30;
const LONGEST_PAUSE_MS = 1_000;

const stateText = ({ step, progress }: Document): string =>
  progress === null ? `${step} …` : `${step}: ${progress.done} of ${progress.total} ${progress.unit} …`;

export async function untilFinished(
  { call }: Pick<Client, 'call'>,
  id: string,
  print: Pick<Print, 'progress'>,
  limitMs: number,
): Promise<Document> {
  const began = performance.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const document = await call(getDocument, { id });
    if (document.status === 'done' || document.status === 'failed') return document;
    if (performance.now() - began > limitMs) {
      throw new CommandFailure(
        `The document ${id} is still ${document.step} after ${Math.round(limitMs / 1000)} s. It goes on being processed; see memoir status.`,
        { facts: { id, status: document.status, step: document.step } },
      );
    }
    print.progress(stateText(document));
    await sleep(pause);
  }
}
