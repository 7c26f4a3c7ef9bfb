// The settings that the ingest thread receives at its start.
import type { MessagePort } from 'node:worker_threads';
import type { BlobPlace } from '../../adapters/blobs/place.ts';
import type { EmbedSettings } from '../../adapters/embed/open.ts';
import type { ContentHints, OcrOptions } from '../../adapters/extract/port.ts';
import type { TranscriptionSettings } from '../../adapters/transcribe/port.ts';
import type { ChromaPlace } from '../../adapters/vectors/chroma/open-chroma.ts';
import type { LogLevel } from '../../core/log.ts';
import type { OpenAiConnection } from '../../lib/openai/client.ts';
import type { KeySettings } from '../data-folder/secret-key.ts';

export interface ChromaSettings extends ChromaPlace {
  readonly namespace: string;
  /** The number of chunks and memories from which it holds a container; 0: it holds every one. */
  readonly indexFrom: number;
}

/** The connections of the ingest thread to PostgreSQL. */
export interface PostgresPlace {
  readonly url: string;
  /** The most connections. */
  readonly most: number;
  readonly prepared: boolean;
  /** The name of this process among those that use the database. */
  readonly process: string;
}

/** The settings of the runs of connections. */
export interface SyncSettings {
  /** Minutes between two looks; null: as the source says; 0: never by itself. */
  readonly lookMinutes: number | null;
  readonly privateHosts: readonly string[];
  /** The public https address of this server; null: there is none, so no source can call. */
  readonly hookBase: string | null;
  /** The place of the key for secrets. */
  readonly keys: KeySettings;
}

export interface IngestSettings {
  connections: SyncSettings;
  /** The file of the embedded database. */
  file: string;
  /** Null: the database is the embedded one. */
  postgres: PostgresPlace | null;
  logLevel: LogLevel;
  /** True: the durations of steps are told for metrics. */
  metered: boolean;
  /** True: the steps are traced. */
  traced: boolean;
  embed: EmbedSettings;
  /** Null: the settings name no language model. */
  reading: OpenAiConnection | null;
  content: ContentSettings;
}

/** The data of one start of the thread. */
export interface IngestStart {
  settings: IngestSettings;
  /** The owner of its leases. */
  boot: string;
  /** A former thread of this process ended by itself. */
  crashed: boolean;
  /** The way to the writer thread. */
  writer: MessagePort;
}

export interface ContentSettings extends Pick<ContentHints, 'languages'> {
  /** Undefined: audio and video cannot be read. */
  transcription?: TranscriptionSettings | undefined;
  ocr: OcrOptions;
  /** The folder of installed models. */
  models: string;
  /** The place of the originals. */
  blobs: BlobPlace;
  /** The folder for fetched pages and parts of recordings until they are read. */
  scratch: string;
  userAgent: string;
  /** Web origins that tests serve. */
  standIns: Readonly<Record<string, string>>;
}
