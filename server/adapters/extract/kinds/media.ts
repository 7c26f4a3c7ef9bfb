// Audio and video: the sound is cut out without being decoded, in pieces that a transcription service takes.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failure } from '../failures.ts';
import { openRecording, type Recording } from '../media/recording.ts';
import type { Content, Sink } from './contract.ts';

export async function extractMedia(content: Content, sink: Sink): Promise<void> {
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
    if (whole === null) await cut(recording, await content.scratch(), sink);
    else
      sink.audio({
        ...{ file, name: `whole.${whole.ending}`, mimeType: whole.mimeType },
        ...{ startTime: 0, endTime: duration },
      });
  } finally {
    recording.close();
  }
}

async function cut(recording: Recording, folder: string, sink: Sink): Promise<void> {
  await mkdir(folder, { recursive: true });
  let number = 0;
  for await (const { bytes, ending, mimeType, startTime, endTime } of recording.pieces()) {
    const name = `part-${++number}.${ending}`;
    const file = join(folder, name);
    await writeFile(file, bytes);
    sink.audio({ file, name, mimeType, startTime, endTime });
  }
  if (recording.brokenOff())
    sink.note('The recording is damaged; what comes before the damage was transcribed.');
}
