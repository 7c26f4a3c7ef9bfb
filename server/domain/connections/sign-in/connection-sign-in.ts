// The parts of connections that a browser reaches without a key.
import type { PickerTickets } from './picker-tickets.ts';
import type { SignIns } from './sign-ins.ts';

export interface ConnectionSignIn extends Pick<SignIns, 'finish'> {
  readonly tickets: PickerTickets;
}
