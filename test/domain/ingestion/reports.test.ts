// Tests of reporting the progress of documents to the store.
import { describe, expect, test } from 'vitest';
import type { DocumentStep } from '../../../server/adapters/store/ports/documents.ts';
import type { Claim, StepNews } from '../../../server/adapters/store/ports/ingestion/claims.ts';
import { createReports } from '../../../server/domain/ingestion/reports.ts';

const claimed = (id: string) => ({ id }) as Claim;

const openReports = (broken = false) => {
  let now = 0;
  const heard: string[] = [];
  const warnings: string[] = [];
  const reports = createReports({
    now: () => now,
    log: { warn: (_: unknown, sentence?: string) => void warnings.push(sentence ?? '') },
    store: {
      async report(news: readonly StepNews[]) {
        if (broken) throw new Error('The disk is full.');
        heard.push(
          news.map(({ claim, step, progress }) => `${claim.id} ${step} ${progress?.done ?? ''}`).join(),
        );
      },
    },
  });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { reports, heard, warnings, pass };
};

const one = claimed('one');
const news = (step: DocumentStep, done?: number): StepNews[] => [
  { claim: one, step, ...(done === undefined ? {} : { progress: { done, total: 9 } }) },
];

describe('the store is told', () => {
  test('nothing about steps that pass quickly', async () => {
    const { reports, heard, pass } = openReports();
    reports.begin([one]);
    pass(150);
    await reports.tell(news('chunking'));
    await reports.tell(news('embedding'));
    expect(heard).toEqual([]);
  });

  test('about a step that follows a slow one, once', async () => {
    const { reports, heard, pass } = openReports();
    reports.begin([one]);
    pass(200);
    await reports.tell(news('chunking'));
    pass(500);
    await reports.tell(news('chunking'));
    expect(heard).toEqual(['one chunking ']);
  });

  test('at once about a step that may take long, and not again', async () => {
    const { reports, heard } = openReports();
    reports.begin([one]);
    await reports.tell(news('embedding', 0), true);
    await reports.tell(news('embedding', 0), true);
    expect(heard).toEqual(['one embedding 0']);
  });

  test('about progress five times a second', async () => {
    const { reports, heard, pass } = openReports();
    reports.begin([one]);
    await reports.tell(news('embedding', 0), true);
    for (let done = 1; done <= 9; done++) {
      pass(50);
      await reports.tell(news('embedding', done));
    }
    expect(heard).toEqual(['one embedding 0', 'one embedding 4', 'one embedding 8']);
  });

  test('about many documents in one call, and only about those that are due', async () => {
    const { reports, heard, pass } = openReports();
    const [two, three] = [claimed('two'), claimed('three')];
    reports.begin([one, two]);
    pass(300);
    reports.begin([three]);
    await reports.tell([one, two, three].map((claim) => ({ claim, step: 'chunking' })));
    expect(heard).toEqual(['one chunking ,two chunking ']);
  });
});

test('a report that the store cannot write costs a line in the log and no document', async () => {
  const { reports, warnings } = openReports(true);
  reports.begin([one]);
  await reports.tell(news('embedding'), true);
  expect(warnings).toEqual(['The progress of documents could not be stored.']);
});
