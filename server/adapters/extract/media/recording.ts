// A recording in any of the usual containers; its sound is cut into pieces, packet by packet and without decoding.
import { stat } from 'node:fs/promises';
import {
  ADTS,
  type AudioCodec,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  FilePathSource,
  FLAC,
  FlacOutputFormat,
  Input,
  type InputAudioTrack,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  Mp3OutputFormat,
  Mp4OutputFormat,
  OGG,
  Output,
  type OutputFormat,
  QTFF,
  WAVE,
  WavOutputFormat,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';
import { asFailure, failure } from '../failures.ts';

export interface CutPiece {
  readonly bytes: Uint8Array;
  readonly ending: string;
  readonly mimeType: string;
  readonly startTime: number;
  readonly endTime: number;
}

export interface Recording {
  readonly title: string | undefined;
  readonly author: string | undefined;
  /** In seconds. */
  readonly duration: number;
  readonly hasPictures: boolean;
  /** Set for a short file that can be sent unchanged. */
  readonly whole: { readonly ending: string; readonly mimeType: string } | null;
  pieces(): AsyncIterable<CutPiece>;
  /** True when the file became unreadable before its end. */
  brokenOff(): boolean;
  close(): void;
}

/** Playlists are left out, because they name other addresses. */
const FORMATS = [MP4, QTFF, MATROSKA, WEBM, MP3, WAVE, OGG, ADTS, FLAC];
/** Services take 25 MB at once; smaller pieces show progress and need less memory while they are sent. */
const MOST_BYTES = 16_000_000;
const MOST_SECONDS = 600;
const LONGEST_SECONDS = 6 * 3_600;

/** Containers that services take when they contain only sound. */
const SENDABLE = new Map<InputFormat, { readonly ending: string; readonly mimeType: string }>([
  [MP3, { ending: 'mp3', mimeType: 'audio/mpeg' }],
  [FLAC, { ending: 'flac', mimeType: 'audio/flac' }],
  [WAVE, { ending: 'wav', mimeType: 'audio/wav' }],
  [OGG, { ending: 'ogg', mimeType: 'audio/ogg' }],
  [WEBM, { ending: 'webm', mimeType: 'audio/webm' }],
  [MP4, { ending: 'm4a', mimeType: 'audio/mp4' }],
]);

interface SoundContainer {
  readonly make: () => OutputFormat;
  readonly ending: string;
  readonly mimeType: string;
}

export const openRecording = async (file: string): Promise<Recording> => {
  const input = new Input({ formats: FORMATS, source: new FilePathSource(file) });
  try {
    return await readTracks(input, (await stat(file)).size);
  } catch (error) {
    input.dispose();
    throw asFailure('corrupt_file', error);
  }
};

const readTracks = async (input: Input, bytes: number): Promise<Recording> => {
  const pictures = await input.getPrimaryVideoTrack();
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw failure(pictures === null ? 'corrupt_file' : 'no_audio_track');
  const codec = await track.getCodec();
  const container = codec === null ? null : containerFor(codec);
  if (codec === null || container === null)
    throw failure('unsupported_codec', { cause: new Error(`The codec is ${codec ?? 'unknown'}.`) });
  const duration = await checkedDuration(input, track);
  const short = bytes <= MOST_BYTES && duration <= MOST_SECONDS && pictures === null;
  const { title, artist } = await input.getMetadataTags();
  let broken = false;
  return {
    title,
    author: artist,
    duration,
    hasPictures: pictures !== null,
    whole: (short ? SENDABLE.get(await input.getFormat()) : undefined) ?? null,
    pieces: () =>
      cutPieces({
        track,
        codec,
        container,
        broke: () => {
          broken = true;
        },
      }),
    brokenOff: () => broken,
    close: () => input.dispose(),
  };
};

/** The declared duration where it is plausible: adding up all packets is slow, and endless in some damaged files. */
const checkedDuration = async (input: Input, track: InputAudioTrack): Promise<number> => {
  const declared = await input.getDurationFromMetadata([track]);
  const plausible = declared !== null && declared > 0 && declared <= LONGEST_SECONDS;
  const duration = plausible ? declared : await track.computeDuration();
  if (!(duration > 0)) throw failure('corrupt_file');
  if (duration > LONGEST_SECONDS) throw failure('media_too_long');
  return duration;
};

const containerFor = (codec: AudioCodec): SoundContainer | null => {
  if (codec === 'aac')
    return {
      make: () => new Mp4OutputFormat({ fastStart: 'in-memory' }),
      ending: 'm4a',
      mimeType: 'audio/mp4',
    };
  if (codec === 'mp3') return { make: () => new Mp3OutputFormat(), ending: 'mp3', mimeType: 'audio/mpeg' };
  if (codec === 'opus' || codec === 'vorbis')
    return { make: () => new WebMOutputFormat(), ending: 'webm', mimeType: 'audio/webm' };
  if (codec === 'flac') return { make: () => new FlacOutputFormat(), ending: 'flac', mimeType: 'audio/flac' };
  if (/^pcm|^[au]law$/.test(codec))
    return { make: () => new WavOutputFormat(), ending: 'wav', mimeType: 'audio/wav' };
  return null;
};

/** The piece that is being written. */
interface OpenPiece {
  readonly output: Output<OutputFormat, BufferTarget>;
  readonly source: EncodedAudioPacketSource;
  readonly startTime: number;
  endTime: number;
  bytes: number;
}

interface Cutting {
  readonly track: InputAudioTrack;
  readonly codec: AudioCodec;
  readonly container: SoundContainer;
  /** Called when the packets end before the recording. */
  readonly broke: () => void;
}

async function* cutPieces({ track, codec, container, broke }: Cutting): AsyncGenerator<CutPiece> {
  const config = await track.getDecoderConfig();
  let open: OpenPiece | null = null;
  let latest = 0;
  for await (const source of readPackets(track, broke)) {
    // In damaged files times can decrease, which no container accepts.
    latest = Math.max(latest, source.timestamp);
    const packet = source.timestamp === latest ? source : source.clone({ timestamp: latest });
    if (open !== null && isFullPiece(open, packet)) {
      yield await finishPiece(open, container);
      open = null;
    }
    const begins = open === null;
    open ??= await beginPiece(codec, container, packet.timestamp);
    const shifted = packet.clone({ timestamp: packet.timestamp - open.startTime });
    await open.source.add(shifted, begins && config !== null ? { decoderConfig: config } : undefined);
    open.bytes += packet.data.byteLength;
    open.endTime = packet.timestamp + packet.duration;
  }
  if (open !== null) yield await finishPiece(open, container);
}

/** The packets before a damage are kept; without any packet the file is corrupt. */
async function* readPackets(track: InputAudioTrack, broke: () => void): AsyncGenerator<EncodedPacket> {
  let some = false;
  try {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      yield packet;
      some = true;
    }
  } catch (error) {
    if (!some) throw asFailure('corrupt_file', error);
    broke();
  }
}

const isFullPiece = ({ bytes, startTime }: OpenPiece, packet: EncodedPacket): boolean =>
  packet.type === 'key' &&
  (bytes + packet.data.byteLength > MOST_BYTES || packet.timestamp - startTime >= MOST_SECONDS);

const beginPiece = async (
  codec: AudioCodec,
  container: SoundContainer,
  startTime: number,
): Promise<OpenPiece> => {
  const output = new Output({ format: container.make(), target: new BufferTarget() });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  return { output, source, startTime, endTime: startTime, bytes: 0 };
};

const finishPiece = async (
  { output, startTime, endTime }: OpenPiece,
  { ending, mimeType }: SoundContainer,
): Promise<CutPiece> => {
  await output.finalize();
  const written = output.target.buffer;
  if (written === null) throw new Error('The piece of sound was not written.');
  return { bytes: new Uint8Array(written), ending, mimeType, startTime, endTime };
};
