// The share of the work that a process does, where several use one database.

/** `api` answers requests, `worker` reads, embeds and indexes what they stored, `all` does both. */
export const PROCESS_ROLES = ['all', 'api', 'worker'] as const;

export type ProcessRole = (typeof PROCESS_ROLES)[number];

export const answersRequests = (role: ProcessRole): boolean => role !== 'worker';
export const doesWork = (role: ProcessRole): boolean => role !== 'api';
