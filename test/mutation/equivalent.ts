// Faults that change nothing that a caller or the owner could see, each with the reason.
import type { Mutant } from './operators.ts';

export interface Equivalent {
  readonly path: string;
  readonly operator: string;
  /** The line of the source, without the space around it. */
  readonly line: string;
  /** The changed text, where the operator could change more of the line. */
  readonly changed?: string;
  readonly reason: string;
}

const IN_ORDER =
  'A connection runs its statements in the order of their calls, and a later one of the same write is awaited before the transaction ends.';

const equivalents: readonly Equivalent[] = [
  {
    path: 'server/adapters/store/queries/access/grants.ts',
    operator: 'drop an await',
    line: "await tx.deleteFrom('oauth_tokens').where('grant_id', '=', id).execute();",
    reason: IN_ORDER,
  },
  {
    path: 'server/adapters/store/queries/access/grants.ts',
    operator: 'drop an await',
    line: "await tx.deleteFrom('grants').where('expires_at', '<', now).execute();",
    reason: IN_ORDER,
  },
  {
    path: 'server/adapters/store/queries/access/grants.ts',
    operator: 'drop an await',
    line: 'await dropToken(tx, token.kind, token.hash);',
    reason: IN_ORDER,
  },
  {
    path: 'server/adapters/store/queries/access/grants.ts',
    operator: 'drop an await',
    line: 'for (const { kind, hash } of ended) await dropToken(tx, kind, hash);',
    reason: IN_ORDER,
  },
  {
    path: 'server/adapters/store/sqlite/upkeep/scrub.ts',
    operator: 'drop an await',
    line: `await run(tx, \`insert into \${table} (\${table}, rank) values ('merge', $1)\`, [pages]);`,
    reason: IN_ORDER,
  },
  {
    path: 'server/adapters/store/queries/documents/threads.ts',
    operator: 'drop an await',
    line: "await run(tx, 'delete from thread_places where doc = $1', [document.n]);",
    reason: IN_ORDER,
  },
  {
    path: 'server/adapters/store/sqlite/vectors.ts',
    operator: 'drop an await',
    line: "await run(tx, 'delete from vector_blocks where space = $1 and block = $2', [space, block]);",
    reason: IN_ORDER,
  },
  {
    path: 'server/domain/ingestion/conversations/json-conversation.ts',
    operator: 'change a constant by one',
    line: 'add(turn, single ? range.start : list ? (found.elements[k] ?? -1) : -1);',
    reason: 'Every turn of a list has its element, so the default is never taken.',
  },
  {
    path: 'server/adapters/store/queries/access/usage.ts',
    operator: 'change a constant by one',
    line: 'return { inputTokens: rows[0]?.input ?? 0, outputTokens: rows[0]?.output ?? 0 };',
    reason: 'The statement always returns one row without nulls, so the defaults are never taken.',
  },
  {
    path: 'server/adapters/store/queries/spaces/spaces.ts',
    operator: 'change a constant by one',
    line: 'return rows[0] ?? { done: 0, total: 0 };',
    reason: 'The statement always returns one row, so the default is never taken.',
  },
  {
    path: 'server/adapters/store/queries/ingestion/decided-submissions.ts',
    operator: 'flip a truth value',
    line: 'return false;',
    reason: 'The mark is gone, so one more call finds nothing left and says so.',
  },
  {
    path: 'server/domain/ingestion/conversations/json-conversation.ts',
    operator: 'change a constant by one',
    line: 'let found = -1;',
    reason: 'Every caller looks only at the sign of a place that was not found.',
  },
  {
    path: 'server/domain/ingestion/embed-documents.ts',
    operator: 'drop an await',
    line: 'await reports.tell(embeddingNews(demand, 0), space.keepExact);',
    reason:
      'The report is sent before the embedder is asked, never fails, and is stored only while the claim stands.',
  },
  {
    path: 'server/domain/search/find-candidates.ts',
    operator: 'swap least and most',
    line: 'return documentCount(ranked) >= Math.min(results, available);',
    reason: 'More candidates are read than the caller can get; the results are the same.',
  },
  {
    path: 'server/adapters/store/queries/search/vector-search.ts',
    operator: 'swap least and most',
    line: 'const most = Math.min(limit * 4, PLACES);',
    reason: 'It decides how often the candidates are cut down to the best; the best are the same.',
  },
  {
    path: 'server/domain/search/find-candidates.ts',
    operator: 'swap a comparison',
    line: "if (counts === 'candidates') return ranked.length >= results;",
    changed: 'ranked.length >= results',
    reason: 'More candidates are read than the caller can get; the results are the same.',
  },
  {
    path: 'server/domain/search/find-candidates.ts',
    operator: 'swap a comparison',
    line: 'return documentCount(ranked) >= Math.min(results, available);',
    reason: 'More candidates are read than the caller can get; the results are the same.',
  },
  {
    path: 'server/domain/ingestion/conversations/json-message.ts',
    operator: 'swap a comparison',
    line: 'if (text.length > 80) return undefined;',
    reason: 'No written time is nearly as long: the limit keeps long texts from being looked through.',
  },
  {
    path: 'server/domain/search/similarity/fit-calibration.ts',
    operator: 'swap a comparison',
    line: 'for (let at = 0; at < queries.length; at += size) {',
    reason: 'One more portion holds no query, so the embedder is not asked.',
  },
  {
    path: 'server/domain/ingestion/content/recognise-kind.ts',
    operator: 'change a constant by one',
    line: 'if (!/^https?:\\/\\//i.test(content.slice(start, start + 8))) return false;',
    reason: 'The pattern begins at the first character and ends at the eighth at the latest.',
  },
];

export const reasonFor = (mutant: Mutant, text: string): string | undefined => {
  const line = text.split('\n')[mutant.line - 1]?.trim();
  const changed = text.slice(mutant.start, mutant.end);
  return equivalents.find(
    (each) =>
      each.path === mutant.path &&
      each.operator === mutant.operator &&
      each.line === line &&
      (each.changed ?? changed) === changed,
  )?.reason;
};
