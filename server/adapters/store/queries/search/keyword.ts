// Finds the chunks or memories that hold query terms. The tag is part of the match, and ranking is left to the caller.
import type { Reach } from '../../../../core/scope.ts';
import type { KeywordMatches } from '../../ports/search.ts';
import { unitKindOf } from '../../statements/search-units.ts';
import { measureScope } from '../../statements/units-by-number.ts';
import type { Db } from '../../tables/tables.ts';
import { chooseMatches } from './choose-matches.ts';
import type { KeywordRequest } from './word-matches.ts';

const average = (total: number, count: number): number => (count > 0 ? total / count : 1) || 1;

export const findKeywordMatches = async (
  db: Db,
  reach: Reach,
  request: KeywordRequest,
): Promise<KeywordMatches> => {
  const kind = unitKindOf(request.restriction);
  const measure = request.measure ?? (await measureScope(db, reach, request.restriction));
  const { matches, frequencies } =
    request.terms.length === 0
      ? { matches: [], frequencies: [] }
      : await chooseMatches({ ...request, db, reach, kind, measure });
  return {
    matches,
    frequencies,
    chunks: measure.chunks,
    averageBodyTokens: average(measure.bodyTokens, measure.chunks),
    averageMessageTokens: average(measure.messageTokens, measure.messages),
  };
};
