// Audio and video: the sound is cut out without being decoded, in pieces that a transcription service takes.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '../failures.ts';
import { openRecording, type Recording } from '../media/recording.ts';
import type { Content, Sink } from './contract.ts';

export async function extractMedia(content: Content, sink: Sink): Promise<void> {
  if (content.file === null) throw failure('corrupt_file');
  const recording = await openRecording(content.file);
  try {
    const { title, author, duration } = recording;
    sink.begin({
      form: 'prose',
      title,
      metadata: { author, duration: Math.round(duration) },
      kind: recording.hasPictures ? 'video' : 'audio',
    });
    await cut(recording, await content.scratch(), sink);
  } finally {
    recording.close();
  }
}

async function cut(recording: Recording, folder: string, sink: Sink): Promise<void> {
  await mkdir(folder, { recursive: true });
  let number = 0;
  for await (const { bytes, ending, mimeType, startTime, endTime } of recording.pieces()) {
    const file = join(folder, `part-${++number}.${ending}`);
    await writeFile(file, bytes);
    sink.audio({ file, mimeType, startTime, endTime });
  }
  if (recording.brokenOff())
    sink.note('The recording is damaged; what comes before the damage was transcribed.');
}
