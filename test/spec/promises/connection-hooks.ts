// Promises about webhooks of connections, and about the end of a connection at its source.
import type { PromiseRow } from '../promise.ts';

export const connectionHooks = [
  {
    id: 'connections:hooks:follow',
    source: 'ours',
    says: 'Where a source can call a server with a public https address, a change there follows within seconds, without a schedule.',
    ways: ['rest'],
  },
  {
    id: 'connections:hooks:forged',
    source: 'ours',
    says: 'A forged, foreign or repeated call of a webhook leads to no look, and its token is in no log, answer or record.',
    ways: ['rest'],
  },
  {
    id: 'connections:hooks:few-looks',
    source: 'ours',
    says: 'A genuine call leads to a look within five seconds, and many calls within a minute to two looks at most.',
    ways: ['rest'],
  },
  {
    id: 'connections:hooks:schedule',
    source: 'ours',
    says: 'A source that makes no webhooks fails no sync: changes are found by the schedule, and the connection says why.',
    ways: ['rest'],
  },
  {
    id: 'connections:hooks:by-hand',
    source: 'ours',
    says: 'The webhook of Notion, which a person makes there, gets its address and shows its verification token here.',
    ways: ['rest'],
  },
  {
    id: 'connections:hooks:ended',
    source: 'ours',
    says: 'A pause or a removal ends the webhooks at the source, and a removal also ends the access that a sign-in gave, unless another connection uses it; neither waits for the source.',
    ways: ['rest'],
  },
  {
    id: 'connections:resume:signed-out',
    source: 'ours',
    says: 'A connection whose access has ended is not resumed: it says how to sign in again.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
