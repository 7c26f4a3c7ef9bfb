// The frame around the work of every command: connects, runs the work, closes the connection.
import type { Client } from './connection/client.ts';
import { type ConnectPurpose, connect } from './connection/connect.ts';
import type { Host } from './host.ts';
import type { CommonOptions } from './options.ts';
import { createPrint, type Print } from './output/print.ts';

export interface CommandWork {
  readonly client: Client;
  readonly print: Print;
  readonly host: Host;
}

export const withClient = async (
  options: CommonOptions,
  host: Host,
  work: (work: CommandWork) => Promise<void>,
  purpose: ConnectPurpose = {},
): Promise<void> => {
  const print = createPrint(options.json === true);
  const client = await connect(options, host, print, purpose);
  try {
    await work({ client, print, host });
  } finally {
    await client.close();
  }
};
