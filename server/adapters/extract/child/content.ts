// The content of one job: read when it is needed, decoded when it is text.
import { mkdir, readFile } from 'node:fs/promises';
import type { Detected } from '../detect/detected.ts';
import type { Content } from '../kinds/contract.ts';
import type { ChildJob } from '../protocol.ts';

export interface Place {
  readonly scratch: string;
  readonly ocrMs: number;
}

export function createContent(job: ChildJob, detected: Detected, { scratch, ocrMs }: Place): Content {
  const { text: given, file, kind: _, ...hints } = job;
  return {
    ...hints,
    kind: detected.kind,
    mimeType: detected.mimeType,
    text: detected.text ?? '',
    file: file ?? null,
    ocrMs,
    bytes: async () => (file === undefined ? Buffer.from(given) : await readFile(file)),
    async scratch() {
      await mkdir(scratch, { recursive: true, mode: 0o700 });
      return scratch;
    },
  };
}
