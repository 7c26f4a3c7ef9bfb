// Notes as people write them, with what each states.
import type { ShapedText } from './shaped-text.ts';

export const shapedTexts: readonly ShapedText[] = [
  // Mails.
  {
    text: `From: Ingrid Solheim <ingrid@fjordkraft.example>
To: Tomas Reyes
Subject: Your new meter
Date: Mon, 3 Mar 2025

Dear Tomas,
the technician comes on 14 March between 8 and 10.
Your customer number is 4471882.
Kind regards,
Ingrid`,
    states: [
      ['technician', '14 March'],
      ['customer number', '4471882'],
    ],
    never: ['Kind regards', 'Dear'],
  },
  {
    text: `To: all@quarry.example
Subject: Server move on Saturday

Hi all,
we move the build server to Helsinki on 9 August.
Oskar is on call that weekend.
Cheers
Wanda`,
    states: [
      ['build server', 'Helsinki'],
      ['Oskar', 'on call'],
    ],
    never: ['Cheers'],
  },
  // Minutes.
  {
    text: `Board meeting, 12 May 2025
Present: Vera Lindt, Omar Haddad, Joy Price

Decisions:
- The office moves to Canal Street 9 in September
- The travel budget is capped at 8,000 euros

Action items:
- Priya: book the venue by Friday
- Omar: send the contract to Brightwell`,
    states: [
      ['Canal Street 9'],
      ['travel budget', '8,000 euros'],
      ['Priya', 'book the venue', 'Friday'],
      ['Omar', 'contract', 'Brightwell'],
      ['Vera Lindt', 'present|attended'],
    ],
  },
  {
    text: `Standup notes
Lena: finishing the login page
Raj: blocked by the staging database
Next standup: Thursday 9:30`,
    states: [
      ['Lena', 'login page'],
      ['Raj', 'staging database'],
      ['standup', 'Thursday', '9:30'],
    ],
  },
  {
    text: `Action items
1. Hugo - order the new projector
2. Salma - call the insurance about the water damage`,
    states: [
      ['Hugo', 'projector'],
      ['Salma', 'insurance', 'water damage'],
    ],
  },
  // Lists of preferences.
  {
    text: `Food
- no cilantro
- loves ramen
- allergic to walnuts

Travel
- prefers trains
- window seat`,
    states: [
      ['user', 'cilantro'],
      ['user', 'loves ramen'],
      ['user', 'allergic', 'walnuts'],
      ['user', 'prefers trains'],
      ['window seat'],
    ],
  },
  {
    text: `Preferences:
* dark mode
* tabs over spaces
* short answers without emoji`,
    states: [['user', 'dark mode'], ['tabs over spaces'], ['short answers']],
  },
  {
    text: `My favourites
- Colour: teal
- Band: Portishead
- Drink: oat flat white`,
    states: [
      ['user', 'colour', 'teal'],
      ['band', 'Portishead'],
      ['drink', 'oat flat white'],
    ],
  },
  {
    text: `Dislikes:
- crowded bars
- phone calls before nine
Likes:
- early mornings
- long walks by the canal`,
    states: [['dislikes crowded bars'], ['phone calls'], ['likes early mornings'], ['long walks']],
  },
  // Labels and forms.
  {
    text: `Tank 1: temperature 24 °C, pH 6.8
Tank 2: empty since March
Filter: Eheim 2217`,
    states: [
      ['Tank 1', '24 °C'],
      ['Tank 1', 'pH', '6.8'],
      ['Tank 2', 'empty'],
      ['filter', 'Eheim 2217'],
    ],
  },
  {
    text: `Wi-Fi: Nordlys_5G
Password hint: grandma's cat
Landlord: Jerzy Nowak, +48 601 555 210
Heating: gas, serviced every October`,
    states: [['Wi-Fi', 'Nordlys_5G'], ['landlord', 'Jerzy Nowak'], ['+48 601 555 210'], ['heating', 'gas']],
  },
  {
    text: `Name: Beatriz Alonso
Email: bea@alonso.example
Phone: 555 0142
Occupation: physiotherapist
Languages: Spanish, Catalan, English`,
    states: [
      ['Beatriz Alonso'],
      ['email', 'bea@alonso.example'],
      ['phone', '555 0142'],
      ['physiotherapist'],
      ['Catalan'],
    ],
  },
  {
    text: `Car: Skoda Octavia 2019
Plate: BK-442-TR
Insurance: Helvetia, renewed in June`,
    states: [
      ['car', 'Skoda Octavia'],
      ['plate', 'BK-442-TR'],
      ['insurance', 'Helvetia'],
    ],
  },
  // Chats that were exported.
  {
    text: `Noor  9:14 AM
the demo with Castellan is moved to Wednesday
Pavel  9:16 AM
ok. I finished the export script
Noor  9:17 AM
great, I am in Lyon until Friday`,
    states: [
      ['demo', 'Castellan', 'Wednesday'],
      ['Pavel', 'export script'],
      ['Noor', 'Lyon'],
    ],
  },
  {
    text: `Marek — 10:32
I bought a kayak yesterday
Jule — 10:33
nice!! I have two tickets for the Tindersticks on 4 October
Marek — 10:35
I work late on Thursdays now`,
    states: [
      ['Marek', 'kayak'],
      ['Jule', 'Tindersticks'],
      ['Marek', 'Thursdays'],
    ],
    never: ['nice'],
  },
  {
    text: `sunny_dev — Today at 15:20
my laptop is a ThinkPad X1 with Fedora
korbi — Today at 15:22
I use Neovim for everything
sunny_dev — Today at 15:23
I moved to Ghent last month`,
    states: [['ThinkPad X1'], ['korbi', 'Neovim'], ['Ghent']],
  },
  // Journals.
  {
    text: `2025-03-02
Planted garlic behind the shed. The pear tree has canker.

2025-03-09
Visited Aunt Roswitha in Lindau. She broke her wrist.`,
    states: [
      ['user', 'garlic'],
      ['pear tree', 'canker'],
      ['Roswitha', 'Lindau'],
    ],
  },
  {
    text: `## Tuesday, 8 April 2025
Ran 14 km with Dario. Left knee hurts.
## Wednesday, 9 April 2025
Physio with Mrs. Adler at 17:00. She recommends swimming.`,
    states: [
      ['ran 14 km', 'Dario'],
      ['knee', 'hurts'],
      ['Adler', 'physio'],
    ],
  },
  // Notes of code.
  {
    text: `# Harbourmaster
Stack: Node 24, pnpm; tests run with vitest
Database: Postgres 16
Deploy: push to main, then Fly.io builds it
Owner: Chidi Eze`,
    states: [
      ['Node 24'],
      ['pnpm'],
      ['tests', 'vitest'],
      ['database', 'Postgres 16'],
      ['Fly.io'],
      ['owner', 'Chidi Eze'],
    ],
  },
  {
    text: `Conventions
- named exports only
- 2 spaces, no semicolons
- commit messages in English
Build:
- make all takes 4 minutes`,
    states: [['named exports'], ['no semicolons'], ['commit messages', 'English'], ['make all', '4 minutes']],
  },
  // Nothing that one would keep.
  {
    text: `To do:
- breathe
- smile
Mood: fine`,
    states: [],
    never: ['breathe', 'smile'],
  },
  {
    text: `Thoughts
- life is a river
- be kind
Note: keep going!`,
    states: [],
    never: ['river', 'kind', 'keep going'],
  },
  // The words of others are not told of the writer.
  {
    text: `Meeting with Sam
- Sam likes the design
- prefers blue buttons`,
    states: [['Sam likes the design']],
    never: ['user'],
  },
  {
    text: `From: Li Wei <li@x.example>
Subject: Rent

Hi,
the rent rises to 900 euros in June.

On Tuesday, Bob wrote:
> I live in Kent.`,
    states: [['rent', '900 euros']],
    never: ['Kent'],
  },
  {
    text: `Reading list
- Dune: a classic
- Emma: not yet`,
    states: [],
    never: ['Dune'],
  },
];
