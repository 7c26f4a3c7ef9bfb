// Opens the extractor, the web client and the memory reader as the settings say.
import { join } from 'node:path';
import { openBlobs } from '../../adapters/blobs/open.ts';
import type { BlobStore } from '../../adapters/blobs/port.ts';
import type { SourceTools } from '../../adapters/connect/port.ts';
import { createExtractor } from '../../adapters/extract/extractor.ts';
import { DEFAULT_LANGUAGES, MOST_LANGUAGES } from '../../adapters/extract/ocr/languages.ts';
import { openWebOnDemand } from '../../adapters/fetch/on-demand.ts';
import { chosenLanguageModel } from '../../adapters/language-model/chosen.ts';
import { createTranscriber } from '../../adapters/transcribe/transcriber.ts';
import type { Readers } from '../../domain/ingestion/content/part-reader.ts';
import type { ReaderOnDemand } from '../../domain/memories/remember.ts';
import { installedLanguages } from '../../lib/models/model-folder.ts';
import { once } from '../../lib/once.ts';
import type { Log } from '../log.ts';
import type { ContentSettings, IngestSettings } from './settings.ts';

export interface ContentReaders {
  readers: Readers;
  blobs: BlobStore;
  /** Reads the links of a page in an extraction process. */
  readLinks: SourceTools['readLinks'];
  /** The keys whose files wait for those of others. */
  slowedKeys(): string[];
  /** The processes that were started in the place of one that failed. */
  childRestarts(): number;
  close(): Promise<void>;
}

const EXTRACT_LIMITS = { timeoutMs: 30_000, heapMb: 768, residentMb: 1200 };
/** Two for the work, and one for the files of a key or tag that these two do not serve at the moment. */
const EXTRACT_CHILDREN = 3;

const RULES_CONTAINERS_AT_ONCE = 8;
/** Local models answer one question after another. */
const MODEL_CONTAINERS_AT_ONCE = 1;

/** The reader is loaded with the first document: the rules, or the model with the few rules that it needs. */
export const openMemoryReader = ({ reading, embed }: IngestSettings): ReaderOnDemand => {
  const chosen = chosenLanguageModel({ ...embed, reading });
  if (chosen === null) {
    const load = once(async () =>
      (await import('../../domain/memories/rules/reader.ts')).createRulesReader(),
    );
    return { containersAtOnce: RULES_CONTAINERS_AT_ONCE, load };
  }
  const load = once(async () => {
    const [{ createOpenAiReader }, { createReaderRules }] = await Promise.all([
      import('../../adapters/language-model/openai/memory-reader.ts'),
      import('../../domain/memories/rules/reader-rules.ts'),
    ]);
    return createOpenAiReader({ ...chosen, rules: createReaderRules() });
  });
  return { containersAtOnce: MODEL_CONTAINERS_AT_ONCE, load };
};

/** An installed language serves from the next content on, beside English; the setting names others. */
const ocrLanguages = ({ languages, models }: ContentSettings): readonly string[] =>
  languages ?? [...DEFAULT_LANGUAGES, ...installedLanguages(models)].slice(0, MOST_LANGUAGES);

export const openContentReaders = ({ content }: IngestSettings, log: Log): ContentReaders => {
  const { ocr, models, transcription, standIns, userAgent } = content;
  const blobs = openBlobs(content.blobs);
  const extractor = createExtractor({
    limits: EXTRACT_LIMITS,
    children: EXTRACT_CHILDREN,
    ocr: { ...ocr, models },
    scratch: join(content.scratch, 'pieces'),
    transcriber: transcription === undefined ? undefined : createTranscriber(transcription),
    log,
  });
  const folder = join(content.scratch, 'fetched');
  const web = openWebOnDemand({ folder, userAgent, seams: { standIns } });
  return {
    blobs,
    readers: {
      content: {
        read: (job, options) => extractor.read({ ...job, languages: ocrLanguages(content) }, options),
      },
      web,
      lend: blobs.lend,
    },
    readLinks: (html, url, signal) => extractor.readLinks({ html, url }, { signal }),
    slowedKeys: extractor.slowedKeys,
    childRestarts: extractor.childRestarts,
    close: async () => {
      await Promise.all([extractor.close(), web.close()]);
    },
  };
};
