// The duties that one process has at a time, where several work on one database.

export const DUTIES = {
  /** The process that fills and erases embedding spaces also keeps the index, because the two wait for each other. */
  spaces: 'spaces',
  merging: 'merging',
  erasing: 'erasing',
  outlines: 'outlines',
  statistics: 'statistics',
} as const;
