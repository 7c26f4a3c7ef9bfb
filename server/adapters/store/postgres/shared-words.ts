// The shared language of statements as PostgreSQL says it.
import type { SharedWords } from '../engine/dialect.ts';
import { heldUnits } from './words.ts';

const jsonRows = (list: string, columns: readonly string[]): string => {
  const fields = columns.map((column, at) => `(part ->> ${at})::bigint as ${column}`);
  // Evaluated once for each row: without the offset each comparison would read the JSON again.
  return `(select place - 1 as at, ${fields.join(', ')}
    from json_array_elements(${list}::json) with ordinality as each (part, place) offset 0)`;
};

export const POSTGRES_WORDS: SharedWords = {
  parameter: (n) => `$${n}`,
  // An array in place of JSON: the planner sees its length.
  number_list: (list) => `unnest(string_to_array(btrim(${list}::text, '[]'), ',')::bigint[]) as value`,
  text_list: (list) => `json_array_elements_text(${list}::json) as value`,
  number_rows: (list, ...columns) => jsonRows(list, columns),
  group_list: (number) => `('[' || coalesce(string_agg((${number})::text, ','), '') || ']')`,
  group_bytes: (bytes) => `string_agg(${bytes}, ''::bytea)`,
  chunks_holding: (words) => heldUnits('chunks', words),
  memories_holding: (words) => heldUnits('memories', words),
  text_place: (text, part) => `strpos(${text}, ${part})`,
  // The index holds the beginnings of values, which may be longer than an index takes.
  same_value: (stored, wanted) => `(left(${stored}, 200) = left(${wanted}, 200) and ${stored} = ${wanted})`,
  // A statement ends at its time limit wherever it is.
  interruptible: () => 'true',
};
