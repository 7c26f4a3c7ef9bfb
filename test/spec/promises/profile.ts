// Promises about the profile of a container tag.
import type { PromiseRow } from '../promise.ts';

export const profile = [
  {
    id: 'profile:read:generated',
    source: 'spec §Endpoints',
    says: '/v4/profile returns a profile generated from the memories of a container tag.',
    ways: ['rest'],
  },
  {
    id: 'profile:read:metadata-filter',
    source: 'spec §Endpoints',
    says: 'The profile can be filtered by metadata.',
    ways: ['rest'],
  },
  {
    id: 'profile:read:needs-tag',
    source: 'spec §Document',
    says: 'A profile needs content added under a container tag.',
    ways: ['rest'],
  },
  {
    id: 'profile:read:one-tag',
    source: 'ours',
    says: 'A profile is of one container tag: a request that names none, or several, fails with 400.',
    ways: ['rest'],
  },
  {
    id: 'profile:unknown-tag:empty',
    source: 'contract 0a',
    says: 'The profile of an unknown tag answers 200 and is empty.',
    ways: ['rest'],
  },
  {
    id: 'profile:sections:lines',
    source: 'contract §5.6',
    says: 'static holds durable facts, dynamic recent context dated as "[Recent] [YYYY-MM-DD]", buckets lists by topic prefixed with "[Recent]" or "[Summary]".',
    ways: ['rest'],
  },
  {
    id: 'profile:sections:order',
    source: 'ours',
    says: 'static begins with what most documents say, dynamic and buckets with the newest by the date of their documents; at most 40, 20 and 15 lines of at most 240 characters each.',
    ways: ['rest'],
  },
  {
    id: 'profile:sections:guesses',
    source: 'ours',
    says: 'A profile holds no guess that nobody has approved.',
    ways: ['rest'],
  },
  {
    id: 'profile:sections:include',
    source: 'contract op 14',
    says: 'include names the sections to give and buckets the buckets; without include all are there, if only empty.',
    ways: ['rest'],
  },
  {
    id: 'profile:read:search',
    source: 'contract op 14',
    says: 'q adds searchResults from the memories of the same tag, narrowed by threshold and filters.',
    ways: ['rest'],
  },
  {
    id: 'profile:read:fresh',
    source: 'ours',
    says: 'A profile shows every write to its tag, and the end of a memory, at the next request.',
    ways: ['rest'],
  },
  {
    id: 'profile:summary:model',
    source: 'contract §5.6',
    says: 'With a language model the lines are summarised: those of static as they are, those of dynamic dated by the newest of what they say, those of buckets marked "[Summary]".',
    ways: ['rest'],
  },
  {
    id: 'profile:summary:plain',
    source: 'ours',
    says: 'What the model leaves out, or invents, is told in the words of the memories; so is everything when it fails, and it is then left alone for a minute, longer each time that follows.',
    ways: ['rest'],
  },
  {
    id: 'profile:summary:in-time',
    source: 'ours',
    says: 'A profile waits a second and a half at the most for its summary; one that comes later is given to those who come then, unless something was written meanwhile.',
    ways: ['rest'],
  },
  {
    id: 'profile:summary:cached',
    source: 'ours',
    says: 'A summary is made once, until something is written to the tag.',
    ways: ['rest'],
  },
  {
    id: 'profile:summary:narrow',
    source: 'ours',
    says: 'A summary is made of what the caller may read and the filters leave, and of nothing else.',
    ways: ['rest'],
  },
  {
    id: 'profile:summary:usage',
    source: 'ours',
    says: 'What a summary took counts for the container tag and for the key that asked for the profile.',
    ways: ['rest'],
  },
  {
    id: 'profile:buckets:list',
    source: 'contract op 15',
    says: "POST /v4/profile/buckets lists the organisation's buckets merged with the tag's own.",
    ways: ['rest'],
  },
  {
    id: 'profile:buckets:merged',
    source: 'contract §5.6',
    says: 'The bucket preferences is always there; buckets of the organisation come first and win, those of the tag only add.',
    ways: ['rest'],
  },
  {
    id: 'profile:tag:older-form',
    source: 'contract §4.8',
    says: 'GET /v3/container-tags/{containerTag}/profile answers static and dynamic.',
    ways: ['rest'],
  },
  {
    id: 'profile:read:client',
    source: 'contract op 14',
    says: 'The published client reads a profile.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
