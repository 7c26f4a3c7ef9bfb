// The writes about sign-ins of connections, by name.
import type { Writer } from '../engine/writer.ts';
import type { NewSignIn } from '../ports/connections/sign-ins.ts';
import { beginSignIn, takeSignIn } from '../queries/connections/sign-ins.ts';

export const createSignInCommands = (writer: Writer, now: () => number) => ({
  beginSignIn: (signIn: NewSignIn) => writer.together((tx) => beginSignIn(tx, signIn, now())),
  takeSignIn: (state: { hash: string; provider: string }) =>
    writer.write((tx) => takeSignIn(tx, state, now())),
});
