// Reads a recording: its sound as pieces that a transcription service takes.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Content, Sink } from '../contract.ts';
import { failure } from '../failures.ts';
import { openRecording, type Recording } from './recording.ts';

export const readRecording = async (content: Content, sink: Sink): Promise<void> => {
  if (content.file === null) throw failure('corrupt_file');
  const { file } = content;
  const recording = await openRecording(file);
  try {
    const { title, author, duration, whole } = recording;
    sink.begin({
      form: 'prose',
      title,
      metadata: { author, duration: Math.round(duration) },
      kind: recording.hasPictures ? 'video' : 'audio',
    });
    if (whole === null) await cutSound(recording, await content.scratch(), sink);
    else
      sink.audio({
        ...{ file, name: `whole.${whole.ending}`, mimeType: whole.mimeType },
        ...{ startTime: 0, endTime: duration },
      });
  } finally {
    recording.close();
  }
};

const cutSound = async (recording: Recording, folder: string, sink: Sink): Promise<void> => {
  await mkdir(folder, { recursive: true });
  let number = 0;
  for await (const { bytes, ending, mimeType, startTime, endTime } of recording.pieces()) {
    const name = `part-${++number}.${ending}`;
    const file = join(folder, name);
    await writeFile(file, bytes);
    sink.audio({ file, name, mimeType, startTime, endTime });
  }
  if (recording.brokenOff())
    sink.note('The recording is damaged; only the part before the damage was transcribed.');
};
