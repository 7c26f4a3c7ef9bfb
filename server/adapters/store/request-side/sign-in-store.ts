// Sign-ins of connections for the request side; everything about them is a write.
import { WHOLE_REACH } from '../../../core/scope.ts';
import type { Call } from '../../../lib/threads/rpc.ts';
import type { SignInStore } from '../ports/connections/sign-ins.ts';
import type { WritingCommands } from '../writing-side/commands.ts';

export const createSignInStore = (call: Call<WritingCommands>): SignInStore => ({
  begin: (signIn) => call('beginSignIn', signIn),
  take: (hash, provider) => call('takeSignIn', { hash, provider }),
  finish: (connection, signedIn, note) => call('signedIn', WHOLE_REACH, connection, signedIn, note),
});
