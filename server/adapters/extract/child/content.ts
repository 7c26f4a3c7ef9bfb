// The content of one job: its bytes are read on first use, text is decoded already.
import { mkdir, readFile } from 'node:fs/promises';
import type { Content } from '../contract.ts';
import type { Detected } from '../detect/detect.ts';
import type { ChildJob } from '../protocol.ts';

export interface JobPlace {
  readonly scratch: string;
  readonly ocrMs: number;
  readonly ocrPageMs: number;
}

export const createContent = (job: ChildJob, detected: Detected, place: JobPlace): Content => {
  const { scratch, ocrMs, ocrPageMs } = place;
  const { text: sentText, file, kind: _, ...hints } = job;
  return {
    ...hints,
    kind: detected.kind,
    mimeType: detected.mimeType,
    text: detected.text ?? '',
    file: file ?? null,
    ocrMs,
    ocrPageMs,
    bytes: async () => (file === undefined ? Buffer.from(sentText) : await readFile(file)),
    async scratch() {
      await mkdir(scratch, { recursive: true, mode: 0o700 });
      return scratch;
    },
  };
};
