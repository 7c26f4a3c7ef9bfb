// Promises about rights that are passed on, and about what is kept from others on the same machine.
import type { PromiseRow } from '../promise.ts';

export const rights = [
  {
    id: 'keys:made:no-more',
    source: 'ours',
    says: 'A key, the key of a plugin and a grant never exceed the key that made them in tags, permission, rate or time: a longer time and a higher rate are cut to those of that key, and the answer says so.',
    ways: ['rest'],
  },
  {
    id: 'keys:made:one-rate',
    source: 'ours',
    says: 'A key with a rate limit shares it with all that it made.',
    ways: ['rest'],
  },
  {
    id: 'keys:made:end',
    source: 'ours',
    says: 'Keys and grants end at once with the key that made them, directly or through others: they get 401 while it is disabled, and when it has expired or is gone. The answer to disabling says how many ended. No key stands behind keys that are made on the machine itself.',
    ways: ['rest'],
  },
  {
    id: 'keys:made:listed',
    source: 'ours',
    says: 'Lists of keys and grants show which key made or gave each, and which of them ended with it.',
    ways: ['rest'],
  },
  {
    id: 'keys:plugin:manages-nothing',
    source: 'ours',
    says: 'The key of a plugin manages nothing, whatever its permission: no keys, grants, settings or whole tags, and it lets no other program in.',
    ways: ['rest'],
  },
  {
    id: 'keys:plugin:preflight',
    source: 'ours',
    says: 'The key of a plugin reads its session, its own tags and the settings without any secret, as plugins do when they start.',
    ways: ['rest'],
  },
  {
    id: 'upload:link:ends-with-key',
    source: 'ours',
    says: 'A link to an original ends with the key or the grant that asked for it, and when that may no longer read the document.',
    ways: ['rest'],
  },
  {
    id: 'folder:files:private',
    source: 'ours',
    says: 'The files of the data folder can be read by their owner alone, also in a folder that existed before; a folder that is open to others is reported at the start.',
    ways: ['rest'],
  },
  {
    id: 'start:compiled:private',
    source: 'ours',
    says: 'Compiled modules of earlier starts are read only from a folder that belongs to the user and that no other user may write.',
    ways: ['rest'],
  },
  {
    id: 'search:chroma:no-texts',
    source: 'ours',
    says: 'Chroma holds numbers alone: no text, no title, no tag and no id of a caller.',
    ways: ['rest'],
  },
  {
    id: 'isolation:others:no-trace',
    source: 'ours',
    says: 'Content of others changes no total, no count, no score and nothing else in any answer to a bound principal, and /health tells it no counts.',
    ways: ['rest'],
  },
  {
    id: 'isolation:refusal:same-path',
    source: 'ours',
    says: 'Refusing an item of others takes the same reads as refusing one that does not exist, if both get the same answer, so that the time tells nothing.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
