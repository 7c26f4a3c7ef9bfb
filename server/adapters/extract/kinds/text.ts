// Plain text, Markdown, code and JSON as they stand.
import type { Content, Sink } from './contract.ts';

const FORMS = { markdown: 'markdown', code: 'lines', json: 'lines' } as const;

export async function extractText({ kind, text }: Content, sink: Sink): Promise<void> {
  const form = kind === 'markdown' || kind === 'code' || kind === 'json' ? FORMS[kind] : 'prose';
  sink.begin({ form });
  await sink.part({ text });
}
