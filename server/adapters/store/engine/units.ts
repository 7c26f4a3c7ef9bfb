// Everything that has words and vectors: chunks and memories, under numbers of their own.

export const UNITS = '(select n from chunks union all select n from memories)';
