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
    says: 'static begins with name, home, work, people, health, diet, languages and tastes, in each with the statements of most documents; a line that another one says more fully is left out; dynamic and buckets with the newest by the date of their documents; at most 40, 20 and 15 lines of at most 240 characters each.',
    ways: ['rest'],
  },
  {
    id: 'profile:sections:guesses',
    source: 'ours',
    says: 'A profile contains no unapproved guess.',
    ways: ['rest'],
  },
  {
    id: 'profile:sections:include',
    source: 'contract op 14',
    says: 'include names the sections to return, and buckets names the buckets; without include all are present, even if empty.',
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
    says: 'With a language model the lines are summarised: those of static without a mark, those of dynamic with the date of their newest statement, those of buckets marked "[Summary]".',
    ways: ['rest'],
  },
  {
    id: 'profile:summary:plain',
    source: 'ours',
    says: 'A line that the model leaves out, or invents, is replaced by the words of the memories; so is everything when the model fails, and the model is then not called for a minute, longer after each further failure.',
    ways: ['rest'],
  },
  {
    id: 'profile:summary:in-time',
    source: 'ours',
    says: 'A profile waits at most a second and a half for its summary; a later summary is used for later requests, unless the tag was written to meanwhile.',
    ways: ['rest'],
  },
  {
    id: 'profile:summary:cached',
    source: 'ours',
    says: 'A summary is made once, until the tag is written to.',
    ways: ['rest'],
  },
  {
    id: 'profile:summary:narrow',
    source: 'ours',
    says: 'A summary is made only of memories that the caller may read and that pass the filters.',
    ways: ['rest'],
  },
  {
    id: 'profile:summary:usage',
    source: 'ours',
    says: 'The usage of a summary counts for the container tag and for the key that requested the profile.',
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
    says: 'The bucket preferences always exists; buckets of the organisation come first and win, and those of the tag are added.',
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
