// The half of the facts that rules and ranking are never adjusted to.
import type { FactInTag } from './fact.ts';

export const heldFacts: readonly (readonly FactInTag[])[] = [
  [
    {
      content: 'We settled on Fastify for the gateway after the Express prototype was too slow.',
      question: 'Which framework did we choose for the gateway?',
      answer: 'Fastify',
    },
    {
      content: 'Feature flags are stored in Unleash, and only Ines may change them in production.',
      question: 'Who may change feature flags in production?',
      answer: 'Ines',
    },
    {
      content: 'The mobile app supports Android 10 and later.',
      question: 'oldest supported Android version',
      answer: '10',
    },
  ],
  [
    {
      content: 'Our dog Bruno is a border collie. He hates thunderstorms.',
      question: 'What breed is Bruno?',
      answer: 'collie',
    },
    {
      content: 'I grew up in Tromsø and moved to Malmö when I was nineteen.',
      question: 'Where did I grow up?',
      answer: 'Tromsø',
    },
    {
      content: 'I do not eat meat, but I do eat fish.',
      question: 'Do I eat fish?',
      answer: 'fish',
    },
  ],
  [
    {
      content: 'Samira teaches chemistry at a secondary school in Lyon.',
      question: 'What does Samira teach?',
      answer: 'chemistry',
    },
    {
      content: "Samira's favourite composer is Ravel.",
      question: "Who is Samira's favourite composer?",
      answer: 'Ravel',
    },
    {
      content: 'Samira broke her wrist while skiing in February.',
      question: "What happened to Samira's wrist?",
      answer: 'wrist',
    },
  ],
  [
    {
      content: 'Backups are kept for thirty days in the bucket vault-eu.',
      question: 'How long are backups kept?',
      answer: 'thirty',
    },
    {
      content: 'The on-call phone belongs to Desmond this week.',
      question: 'Who has the on-call phone?',
      answer: 'Desmond',
    },
    {
      content: 'Customers in Switzerland pay in francs.',
      question: 'currency of customers in Switzerland',
      answer: 'francs',
    },
  ],
  [
    {
      content: 'user: I started a new job at Siemens on Monday.\nassistant: Congratulations!',
      question: 'Where do I work?',
      answer: 'Siemens',
    },
    {
      content: 'user: My son Emil plays handball.\nassistant: Which position?\nuser: He is the goalkeeper.',
      question: 'Which sport does Emil play?',
      answer: 'handball',
    },
    {
      content: 'user: Always write my code examples in Go.\nassistant: Noted.',
      question: 'Which language should code examples be in?',
      answer: 'Go',
    },
  ],
  [
    {
      content: 'Henrik collects old maps of the Baltic coast.',
      question: 'What does Henrik collect?',
      answer: 'maps',
    },
    {
      content: 'Henrik met Aino at a chess tournament in Turku.',
      question: 'Where did Henrik meet Aino?',
      answer: 'Turku',
    },
    {
      content: 'Aino is writing a novel about lighthouse keepers.',
      question: 'What is Aino writing?',
      answer: 'novel',
    },
  ],
  [
    {
      content: 'My blood type is A negative.',
      question: 'What is my blood type?',
      answer: 'negative',
    },
    {
      content: 'I have physiotherapy every Thursday at four.',
      question: 'When do I have physiotherapy?',
      answer: 'Thursday',
    },
    {
      content: 'I stopped smoking in 2018.',
      question: 'When did I stop smoking?',
      answer: '2018',
    },
  ],
  [
    {
      content: 'The lease of the warehouse ends on 31 August 2027.',
      question: 'When does the lease of the warehouse end?',
      answer: '2027',
    },
    {
      content: 'Olena negotiates the contracts with our suppliers.',
      question: 'Who negotiates contracts with suppliers?',
      answer: 'Olena',
    },
    {
      content: 'We ship to Norway only by sea.',
      question: 'How do we ship to Norway?',
      answer: 'sea',
    },
  ],
  [
    {
      content: 'I ride my bike to work unless it rains.',
      question: 'How do I get to work?',
      answer: 'bike',
    },
    {
      content: 'My favourite restaurant is the Blue Lantern in Kassel.',
      question: 'What is my favourite restaurant?',
      answer: 'Lantern',
    },
    {
      content: 'I am learning Portuguese with a tutor from Recife.',
      question: 'Which language am I learning?',
      answer: 'Portuguese',
    },
  ],
  [
    {
      content: 'The linter is Biome; ESLint was removed in January.',
      question: 'Which linter is used?',
      answer: 'Biome',
    },
    {
      content: 'Releases are cut every second Wednesday.',
      question: 'When are releases cut?',
      answer: 'Wednesday',
    },
    {
      content: 'Secrets are read from Vault at start, never from files.',
      question: 'Where are secrets read from?',
      answer: 'Vault',
    },
  ],
];
