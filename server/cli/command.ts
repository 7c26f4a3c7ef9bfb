// What every command does around its own work: connects, answers, and lets go again.
import type { Client } from './client.ts';
import { connect, type Purpose } from './connect.ts';
import type { Host } from './host.ts';
import type { CommonOptions } from './options.ts';
import { createPrint, type Print } from './print.ts';

export interface Work {
  readonly client: Client;
  readonly print: Print;
  readonly host: Host;
}

export async function withClient(
  options: CommonOptions,
  host: Host,
  work: (work: Work) => Promise<void>,
  purpose: Purpose = {},
): Promise<void> {
  const print = createPrint(options.json === true);
  const client = await connect(options, host, print, purpose);
  try {
    await work({ client, print, host });
  } finally {
    await client.close();
  }
}
