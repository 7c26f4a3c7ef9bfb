// The only link from operations to the server: it passes types only, no runtime code.

export type { Service } from '../server/calls/service.ts';
export type { AuditAction } from '../server/core/audit.ts';
export type { Caller } from '../server/core/principal.ts';
