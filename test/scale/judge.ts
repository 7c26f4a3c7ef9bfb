// Judges what a fleet of processes stored: nothing that was acknowledged is lost, nothing is there twice, nothing is stuck.

/** A document as the database holds it. */
export interface StoredDocument {
  readonly customId: string;
  readonly content: string;
  readonly step: string;
  readonly chunks: number;
  /** Chunks that are stored more than once at one place of the document. */
  readonly doubled: number;
}

/** What clients were told is stored, by customId. */
export type Acknowledged = ReadonlyMap<string, string>;

export interface Verdict {
  readonly acknowledged: number;
  readonly stored: number;
  readonly lost: readonly string[];
  readonly twice: readonly string[];
  readonly stuck: readonly string[];
}

export const judge = (acknowledged: Acknowledged, stored: readonly StoredDocument[]): Verdict => {
  const byName = Map.groupBy(stored, ({ customId }) => customId);
  const holds = (name: string, content: string): boolean =>
    byName.get(name)?.some((document) => document.content === content && document.chunks > 0) ?? false;
  const unfinished = stored.filter(({ step }) => step !== 'done').map(({ customId }) => customId);
  return {
    acknowledged: acknowledged.size,
    stored: stored.length,
    lost: [...acknowledged].filter(([name, content]) => !holds(name, content)).map(([name]) => name),
    twice: [
      ...[...byName].filter(([, all]) => all.length > 1).map(([name]) => name),
      ...stored.filter(({ doubled }) => doubled > 0).map(({ customId }) => customId),
    ],
    stuck: unfinished,
  };
};

export const isGood = ({ lost, twice, stuck }: Verdict): boolean =>
  lost.length + twice.length + stuck.length === 0;
