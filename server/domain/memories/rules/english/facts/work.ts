// Facts about a person's work and employer.
import { wordSet } from '../grammar/words.ts';
import type { FactRule } from './rule.ts';

const PROFESSIONS = wordSet(`
  accountant actor actress analyst architect artist astronaut attorney author baker banker barber barista bartender
  biologist blacksmith bookkeeper botanist brewer bricklayer broker builder butcher captain caregiver carpenter cashier
  ceo cfo chef chemist chiropractor choreographer cleaner clerk coach coder comedian composer conductor consultant
  contractor cook copywriter counselor counsellor courier cto curator dancer dealer dentist designer detective developer
  dietitian diplomat director diver doctor driver economist editor electrician engineer entrepreneur farmer filmmaker
  firefighter fisherman florist founder freelancer gardener geologist grocer guard guide hairdresser handyman historian
  housewife illustrator inspector instructor interpreter investor janitor jeweler journalist judge lawyer lecturer
  librarian lifeguard linguist locksmith machinist manager marketer mason mathematician mechanic midwife miner minister
  model musician nanny neurologist notary novelist nurse nutritionist officer optician painter paralegal paramedic pastor
  pathologist pediatrician pharmacist photographer physicist physiotherapist pianist pilot planner plumber poet
  policeman politician postman potter preacher priest producer professor programmer psychiatrist psychologist publisher
  radiologist realtor receptionist recruiter reporter researcher roofer sailor salesman salesperson scientist sculptor
  secretary singer sociologist soldier statistician steward stewardess stylist surgeon surveyor tailor teacher technician
  tester therapist trader trainer translator tutor veterinarian vet violinist waiter waitress watchmaker welder worker
  writer zoologist student intern apprentice lead assistant administrator strategist specialist operator supervisor
  executive representative agent associate streamer youtuber blogger podcaster teaching-assistant postdoc`);

const BUSINESSES = wordSet(
  'business company startup start-up shop store bakery restaurant café cafe agency studio clinic firm blog podcast channel charity farm newsletter practice bar salon gym foundation',
);

const JOB = '(?:job|position|role|gig|post|internship|apprenticeship|contract|career)';

export const work: readonly FactRule[] = [
  {
    slot: 'side job',
    kind: 'trait',
    verbs: ['work', 'help'],
    rest: /^.*\b(?:on (?:weekends|the side|\p{Lu}\p{L}+days?)|part[- ]time|in their (?:free|spare) time|once a|twice a|as a volunteer)\b/u,
    examples: [['Anna works at a flea market on Sundays', 'anna/work flea market', 'sundai']],
  },
  {
    slot: 'employer',
    kind: 'one',
    verbs: ['work', 'intern'],
    rest: /^(?:full[- ]time |part[- ]time |remotely |nights |shifts |weekends )*(?:at|for)\s(?<value>(?:an? |the |their )?(?!home\b|night\b|years\b|hours\b|\d|free\b|fun\b|it\b|her\b|him\b|them\b|me\b)\S.*)/,
    value: 'names',
    examples: [
      ['Anna works at Siemens', 'anna/employer', 'siemen'],
      ['Felix works at Bosch as a tester', 'felix/employer', 'bosch'],
      ['Anna works for a small bakery', 'anna/employer', 'small bakeri'],
      ['Anna has worked at Google since 2019', 'anna/employer', 'googl'],
      ['Anna works nights at Charité', 'anna/employer', 'charit'],
      ['Anna started working at Apple', 'anna/employer', 'appl'],
    ],
    counterExamples: [
      'Anna works at night',
      'Anna worked at Google in 2010',
      'Anna works from home',
      'The app works for teams',
    ],
  },
  {
    slot: 'employer',
    kind: 'one',
    verbs: ['be'],
    rest: /^(?:employed|hired|working) (?:at|by|for)\s(?<value>.+)/,
    when: 'any',
    value: 'names',
    examples: [['Anna was hired by Apple', 'anna/employer', 'appl']],
  },
  {
    slot: 'employer',
    kind: 'one',
    verbs: ['join'],
    rest: /^(?<value>\p{Lu}.*)/u,
    when: 'any',
    value: 'names',
    examples: [['The user joined Anthropic in May 2023', 'user/employer', 'anthrop']],
    counterExamples: ['Anna joined a gym', 'Anna will join Tom'],
  },
  {
    slot: 'employer',
    kind: 'one',
    verbs: ['start', 'get', 'take', 'accept', 'land', 'have', 'begin', 'find'],
    rest: new RegExp(
      String.raw`^(?:(?:an?|their|the|up)\s)*(?:(?:new|full[- ]time|part[- ]time|first|great|dream)\s)*(?:\S+\s){0,3}?(?:${JOB}|offer)\s(?:\S+ ){0,4}?(?:at|with|for|from)\s(?<value>\p{Lu}.*|(?:an?|the)\s.*)`,
      'u',
    ),
    when: 'any',
    value: 'names',
    examples: [
      ['Felix started a new job at Zalando in the week of 23 October 2023', 'felix/employer', 'zalando'],
      ['Carlos got a job at NASA', 'carlos/employer', 'nasa'],
    ],
  },
  {
    slot: 'employer',
    kind: 'one',
    verbs: ['quit', 'leave', 'lose', 'resign'],
    rest: new RegExp(
      String.raw`^(?:(?:from|the|their|his|her|my|old)\s)*(?:\S+\s)?${JOB}\b(?:\s(?:at|with|as an?)\s(?<value>.+))?`,
    ),
    when: 'any',
    ends: true,
    value: 'names',
    examples: [
      ['Bob quit their job at Deloitte on 31 August 2023', 'bob/employer', 'deloitt'],
      ['Bob lost their job', 'bob/employer', ''],
    ],
  },
  {
    slot: 'employer',
    kind: 'one',
    verbs: ['quit', 'leave', 'resign'],
    rest: /^(?:from )?(?<value>\p{Lu}\p{L}+)(?! for good| forever)(?=$| (?:on|in|around|to|after|because|for)\b)/u,
    when: 'past',
    ends: true,
    value: 'names',
    examples: [['Anna left Google in May 2023', 'anna/employer', 'googl']],
  },
  {
    slot: 'employer',
    kind: 'one',
    verbs: ['be', 'get'],
    rest: /^(?:laid off|fired|let go|made redundant)(?:\s(?:from|by)\s(?<value>.+))?/,
    when: 'any',
    ends: true,
    value: 'names',
    examples: [['Anna got laid off by Meta', 'anna/employer', 'meta']],
  },
  {
    slot: 'job',
    kind: 'one',
    verbs: ['work'],
    rest: /^(?:full[- ]time |part[- ]time |freelance )*as\s(?:an?\s|the\s)?(?<value>.+)/,
    examples: [['Marcus works as a paramedic for the city', 'marcus/job', 'paramed']],
  },
  {
    slot: 'job',
    kind: 'one',
    verbs: ['start', 'get', 'take', 'accept', 'land', 'find', 'begin'],
    rest: /^(?:an?|their|the)\s(?:(?:new|full[- ]time|first|great)\s)*(?:job|position|role|work)\sas\s(?:an?\s|the\s)?(?<value>.+)/,
    when: 'past',
    examples: [['Anna started a new job as a bus driver', 'anna/job', 'bu driver']],
  },
  {
    slot: 'job',
    kind: 'one',
    verbs: ['become', 'be', 'get'],
    rest: /^(?:(?:promoted|hired|elected|appointed|made)\s(?:to|as)?|trained as)\s?(?:an?\s|the\s)?(?<value>.+)/,
    when: 'any',
    examples: [
      ['The user got promoted to team lead', 'user/job', 'team lead'],
      ['Anna was promoted to manager in May 2023', 'anna/job', 'manag'],
    ],
  },
  {
    slot: 'job',
    kind: 'one',
    verbs: ['retire'],
    when: 'any',
    constant: 'retired',
    examples: [['Anna retired in May 2023', 'anna/job', 'retir']],
  },
  {
    slot: 'job',
    kind: 'one',
    verbs: ['be'],
    rest: /^(?<value>retired|unemployed|self-employed|between jobs|out of work|a stay-at-home \p{L}+)\b/u,
    examples: [['Anna is self-employed', 'anna/job', 'self emploi']],
  },
  {
    slot: 'job',
    kind: 'one',
    verbs: ['be'],
    rest: /^(?:an?|the)\s(?<value>.+)/,
    heads: PROFESSIONS,
    examples: [
      ['The user is a junior developer', 'user/job', 'junior develop'],
      ["Zoe's mom is a retired teacher", 'zoe.mom/job', 'retir teacher'],
      ["Bob's brother Jim is a pilot", 'jim/job', 'pilot'],
    ],
    counterExamples: ['Anna was a nurse', 'Anna is a great listener', 'The dog is a pilot'],
  },
  {
    slot: 'job',
    kind: 'one',
    verbs: ['become'],
    rest: /^(?:an?|the)\s(?<value>.+)/,
    when: 'past',
    heads: PROFESSIONS,
    examples: [['Anna became a nurse in 2020', 'anna/job', 'nurs']],
  },
  {
    slot: 'business',
    kind: 'trait',
    verbs: ['run', 'manage'],
    rest: /^(?:an?|their(?: own)?|the)\s(?<value>.+)/,
    heads: BUSINESSES,
    examples: [['Anna runs a small bakery', null, '']],
  },
  {
    slot: 'business',
    kind: 'trait',
    verbs: ['found', 'co-found', 'start', 'open', 'launch'],
    rest: /^(?:an?|their(?: own)?|the)\s(?<value>.+)/,
    when: 'past',
    heads: BUSINESSES,
    examples: [['Anna founded a charity in 2020', null, '']],
    counterExamples: ['Anna started a conversation'],
  },
  {
    slot: 'teaching',
    kind: 'trait',
    verbs: ['teach', 'coach', 'volunteer', 'mentor'],
    examples: [['Anna teaches yoga', null, '']],
  },
];
