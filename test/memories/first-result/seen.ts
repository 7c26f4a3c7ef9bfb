// Facts in small containers, each with a question and a word that its answer holds.
import type { FactInTag } from './fact.ts';

export const seenFacts: readonly (readonly FactInTag[])[] = [
  [
    {
      content: 'We decided to use Drizzle instead of Prisma because its migrations are faster.',
      question: 'Which ORM did we choose, Drizzle or Prisma?',
      answer: 'Drizzle',
    },
    {
      content: 'The deploy script lives in tools/release.sh and needs the variable RELEASE_TOKEN.',
      question: 'deploy script',
      answer: 'release.sh',
    },
    {
      content: 'This project uses pnpm, not npm. The lock file is checked in.',
      question: 'pnpm or npm',
      answer: 'pnpm',
    },
  ],
  [
    {
      content: 'My cat is called Miso and she is eleven years old.',
      question: 'What is the cat called?',
      answer: 'Miso',
    },
    {
      content: 'I moved from Leeds to Oslo in March.',
      question: 'Where do I live now?',
      answer: 'Oslo',
    },
    {
      content: 'I am allergic to peanuts. My brother is not.',
      question: 'peanuts allergy',
      answer: 'peanuts',
    },
  ],
  [
    {
      content: 'Ada likes green tea and never drinks coffee after noon.',
      question: 'What does Ada like to drink?',
      answer: 'tea',
    },
    {
      content: "Ada's birthday is on 12 June.",
      question: "When is Ada's birthday?",
      answer: 'June',
    },
    {
      content: 'Ada works as a geologist at the university of Graz.',
      question: 'What does Ada do for a living?',
      answer: 'geologist',
    },
  ],
  [
    {
      content: 'The staging server runs on Hetzner, and the production server runs on our own hardware.',
      question: 'Where does the staging server run?',
      answer: 'Hetzner',
    },
    {
      content: 'Our invoices are sent by Farida on the last working day of each month.',
      question: 'Who sends the invoices?',
      answer: 'Farida',
    },
    {
      content: 'The API rate limit is 600 requests a minute for paying customers.',
      question: 'API rate limit for paying customers',
      answer: '600',
    },
  ],
  [
    {
      content: 'user: I switched from Vim to Helix last week.\nassistant: Nice, how do you like it?',
      question: 'Which editor do I use?',
      answer: 'Helix',
    },
    {
      content:
        'user: I have two daughters, Lena and Marta.\nassistant: How old are they?\nuser: Lena is six.',
      question: 'How old is Lena?',
      answer: 'six',
    },
    {
      content: 'user: Please keep answers short. I read them on my phone.\nassistant: I will.',
      question: 'How long should answers be?',
      answer: 'short',
    },
  ],
  [
    {
      content: 'Jonas plays the cello in the Rheinau quartet.',
      question: 'Which instrument does Jonas play?',
      answer: 'cello',
    },
    {
      content: 'Jonas and Pia got married in Ghent in 2019.',
      question: 'Where did Jonas and Pia get married?',
      answer: 'Ghent',
    },
    {
      content: 'Pia is training for the Rotterdam marathon.',
      question: 'What is Pia training for?',
      answer: 'marathon',
    },
  ],
  [
    {
      content: 'I take 20 mg of omeprazole every morning before breakfast.',
      question: 'How much omeprazole do I take?',
      answer: '20',
    },
    {
      content: 'My doctor is Dr. Okafor at the clinic on Mill Road.',
      question: 'Who is my doctor?',
      answer: 'Okafor',
    },
    {
      content: 'I sleep badly when I drink coffee in the evening.',
      question: 'coffee in the evening',
      answer: 'coffee',
    },
  ],
  [
    {
      content: 'Our company has 48 employees in Porto and 12 in Riga.',
      question: 'How many employees work in Riga?',
      answer: '12',
    },
    {
      content: 'The quarterly report is due on 5 October.',
      question: 'When is the quarterly report due?',
      answer: 'October',
    },
    {
      content: 'Mirela leads the design team since April.',
      question: 'Who leads the design team?',
      answer: 'Mirela',
    },
  ],
  [
    {
      content: 'I drive a grey Skoda Octavia that I bought second-hand in 2021.',
      question: 'Which car do I drive?',
      answer: 'Skoda',
    },
    {
      content: 'I prefer window seats on trains and aisle seats on planes.',
      question: 'Which seat do I prefer on planes?',
      answer: 'aisle',
    },
    {
      content: 'We are going to Madeira for our holiday in May.',
      question: 'Where are we going on holiday?',
      answer: 'Madeira',
    },
  ],
  [
    {
      content: 'The tests run with Vitest, and coverage must not fall below 85 percent.',
      question: 'minimum test coverage',
      answer: '85',
    },
    {
      content: 'Commits follow the Conventional Commits format.',
      question: 'What format do commits follow?',
      answer: 'Conventional',
    },
    {
      content: 'The database password is rotated every ninety days by Tomasz.',
      question: 'Who rotates the database password?',
      answer: 'Tomasz',
    },
  ],
];
