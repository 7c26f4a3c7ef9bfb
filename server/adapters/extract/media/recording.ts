// A recording in any of the usual containers, and its sound in pieces, packet by packet and without decoding.
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
import { failure, failureOf } from '../failures.ts';

export interface Piece {
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
  /** Set where the file is short and may be sent as it is; then nothing has to be cut. */
  readonly whole: { readonly ending: string; readonly mimeType: string } | null;
  pieces(): AsyncIterable<Piece>;
  /** Whether the file ended, or became unreadable, before its end. */
  brokenOff(): boolean;
  close(): void;
}

/** Not every format there is: playlists name other addresses. */
const FORMATS = [MP4, QTFF, MATROSKA, WEBM, MP3, WAVE, OGG, ADTS, FLAC];
/** Services take 25 MB at once; what is smaller shows progress and stands in memory while it is sent. */
const MOST_BYTES = 16_000_000;
const MOST_SECONDS = 600;
const LONGEST_SECONDS = 6 * 3_600;

/** Containers that services take, where they hold nothing but sound. */
const SENDABLE = new Map<InputFormat, { readonly ending: string; readonly mimeType: string }>([
  [MP3, { ending: 'mp3', mimeType: 'audio/mpeg' }],
  [FLAC, { ending: 'flac', mimeType: 'audio/flac' }],
  [WAVE, { ending: 'wav', mimeType: 'audio/wav' }],
  [OGG, { ending: 'ogg', mimeType: 'audio/ogg' }],
  [WEBM, { ending: 'webm', mimeType: 'audio/webm' }],
  [MP4, { ending: 'm4a', mimeType: 'audio/mp4' }],
]);

interface Container {
  readonly make: () => OutputFormat;
  readonly ending: string;
  readonly mimeType: string;
}

export async function openRecording(file: string): Promise<Recording> {
  const input = new Input({ formats: FORMATS, source: new FilePathSource(file) });
  try {
    return await recordingOf(input, (await stat(file)).size);
  } catch (error) {
    input.dispose();
    throw failureOf('corrupt_file', error);
  }
}

async function recordingOf(input: Input, bytes: number): Promise<Recording> {
  const pictures = await input.getPrimaryVideoTrack();
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw failure(pictures === null ? 'corrupt_file' : 'no_audio_track');
  const codec = await track.getCodec();
  const container = codec === null ? null : containerOf(codec);
  if (codec === null || container === null)
    throw failure('unsupported_codec', { cause: new Error(`The codec is ${codec ?? 'unknown'}.`) });
  const duration = await durationOf(input, track);
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
      piecesOf(track, codec, container, () => {
        broken = true;
      }),
    brokenOff: () => broken,
    close: () => input.dispose(),
  };
}

/** As the file says where that can be: to add up all packets takes its time, and in damaged files without end. */
async function durationOf(input: Input, track: InputAudioTrack): Promise<number> {
  const said = await input.getDurationFromMetadata([track]);
  const plausible = said !== null && said > 0 && said <= LONGEST_SECONDS;
  const duration = plausible ? said : await track.computeDuration();
  if (!(duration > 0)) throw failure('corrupt_file');
  if (duration > LONGEST_SECONDS) throw failure('media_too_long');
  return duration;
}

function containerOf(codec: AudioCodec): Container | null {
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
}

/** The piece that is being written. */
interface Open {
  readonly output: Output<OutputFormat, BufferTarget>;
  readonly source: EncodedAudioPacketSource;
  readonly startTime: number;
  endTime: number;
  bytes: number;
}

/** `broke` is told when the packets end where the recording does not. */
async function* piecesOf(
  track: InputAudioTrack,
  codec: AudioCodec,
  container: Container,
  broke: () => void,
): AsyncGenerator<Piece> {
  const config = await track.getDecoderConfig();
  let open: Open | null = null;
  let latest = 0;
  for await (const given of packetsOf(track, broke)) {
    // In damaged files time runs backwards, which no container takes.
    latest = Math.max(latest, given.timestamp);
    const packet = given.timestamp === latest ? given : given.clone({ timestamp: latest });
    if (open !== null && isFull(open, packet)) {
      yield await finish(open, container);
      open = null;
    }
    const begins = open === null;
    open ??= await begin(codec, container, packet.timestamp);
    const shifted = packet.clone({ timestamp: packet.timestamp - open.startTime });
    await open.source.add(shifted, begins && config !== null ? { decoderConfig: config } : undefined);
    open.bytes += packet.data.byteLength;
    open.endTime = packet.timestamp + packet.duration;
  }
  if (open !== null) yield await finish(open, container);
}

/** What comes before the damage is worth having; nothing at all is not. */
async function* packetsOf(track: InputAudioTrack, broke: () => void): AsyncGenerator<EncodedPacket> {
  let some = false;
  try {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      yield packet;
      some = true;
    }
  } catch (error) {
    if (!some) throw failureOf('corrupt_file', error);
    broke();
  }
}

const isFull = ({ bytes, startTime }: Open, packet: EncodedPacket): boolean =>
  packet.type === 'key' &&
  (bytes + packet.data.byteLength > MOST_BYTES || packet.timestamp - startTime >= MOST_SECONDS);

async function begin(codec: AudioCodec, container: Container, startTime: number): Promise<Open> {
  const output = new Output({ format: container.make(), target: new BufferTarget() });
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  return { output, source, startTime, endTime: startTime, bytes: 0 };
}

async function finish({ output, startTime, endTime }: Open, { ending, mimeType }: Container): Promise<Piece> {
  await output.finalize();
  const written = output.target.buffer;
  if (written === null) throw new Error('The piece of sound was not written.');
  return { bytes: new Uint8Array(written), ending, mimeType, startTime, endTime };
}
