// The only door from operations to the server, and it lets types through, nothing that runs.
export type { Caller } from '../server/domain/access/caller.ts';
export type { Service } from '../server/service.ts';
