// Collections of documents in the shape of BEIR (SciFact, Cranfield, CISI): the evidence of a question are documents.
import { join } from 'node:path';
import { readJsonLines, readTable } from '../data.ts';
import type { BenchDocument, BenchSet } from '../space.ts';

interface RawDocument {
  _id: string;
  title?: string;
  text: string;
}

export function collection(folder: string, name: string): BenchSet {
  const path = (file: string): string => join(folder, name, file);
  const documents = readJsonLines<RawDocument>(path('corpus.jsonl')).map(
    ({ _id, title, text }): BenchDocument => ({
      id: _id,
      date: null,
      title: title || null,
      turns: [{ id: _id, speaker: null, role: null, text }],
    }),
  );
  const judged = Map.groupBy(
    readTable(path('qrels_test.tsv')).filter(([, , score]) => Number(score) > 0),
    ([question]) => question,
  );
  const questions = readJsonLines<{ _id: string; text: string }>(path('queries.jsonl')).flatMap(
    ({ _id, text }) => {
      const evidence = (judged.get(_id) ?? []).flatMap(([, document]) => document ?? []);
      return evidence.length === 0 ? [] : [{ text, category: name, evidence }];
    },
  );
  return { level: 'document', perQuestion: (limit) => limit, spaces: [{ id: name, documents, questions }] };
}
