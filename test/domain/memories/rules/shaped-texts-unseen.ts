// Notes as people write them, written before the code that reads their shape and never fitted to.
import type { ShapedText } from './shaped-text.ts';

export const unseenShapedTexts: readonly ShapedText[] = [
  {
    text: `From: bookings@lagoonhotel.example
To: Dorian Wells
Subject: Reservation 88213

Dear Mr. Wells,
we have reserved a twin room from 2 July 2025 to 6 July 2025.
Breakfast is served from 7:30.
Yours sincerely,
Lagoon Hotel`,
    states: [
      ['twin room', '2 July'],
      ['Breakfast', '7:30'],
    ],
    never: ['sincerely'],
  },
  {
    text: `Subject: Boiler
From: Agnes Pell

Hello Marcus,
the boiler in flat 4 leaks again.
The plumber is Mr. Iqbal, he comes on 3 November.
Best,
Agnes`,
    states: [['boiler', 'flat 4'], ['plumber', 'Iqbal'], ['3 November']],
    never: ['Best'],
  },
  {
    text: `Attendees: Fatima, George, Kwame
Agreed:
- The launch is on 18 June
- Kwame leads the pilot in Accra
To do:
- Fatima: draft the press release by Monday
- George: renew the domain`,
    states: [
      ['Fatima', 'press release'],
      ['George', 'domain'],
      ['launch', '18 June'],
      ['Kwame', 'pilot', 'Accra'],
      ['George', 'attend|present'],
    ],
  },
  {
    text: `Minutes of the garden club
Treasurer: Ulla Brandt
Next meeting: 7 October at 19:00
Decisions
1. The fee stays at 20 euros
2. The compost heap goes behind the shed`,
    states: [
      ['treasurer', 'Ulla Brandt'],
      ['meeting', '7 October'],
      ['fee', '20 euros'],
      ['compost heap', 'behind the shed'],
    ],
  },
  {
    text: `Owners
- Billing service: Mira
- Search: Team Kestrel
- Mobile app: Jonas and Petra`,
    states: [
      ['billing service', 'Mira'],
      ['search', 'Kestrel'],
      ['mobile app', 'Jonas'],
    ],
  },
  {
    text: `Coffee
- black, no sugar
- hates decaf

Music
- listens to fado
- plays the cello`,
    states: [['user', 'coffee', 'black'], ['hates decaf'], ['listens to fado'], ['plays the cello']],
  },
  {
    text: `Diet:
- vegetarian since 2018
- lactose intolerant
- no mushrooms`,
    states: [['user', 'vegetarian'], ['lactose intolerant'], ['no mushrooms|mushrooms']],
  },
  {
    text: `Writing style
* British spelling
* no exclamation marks
* metric units`,
    states: [['British spelling'], ['exclamation marks'], ['metric units']],
  },
  {
    text: `Favourites:
Film: Stalker
Season: autumn
City: Trieste`,
    states: [
      ['film', 'Stalker'],
      ['season', 'autumn'],
      ['city', 'Trieste'],
    ],
  },
  {
    text: `Hive 3: queen marked blue, 8 frames of brood
Hive 5: swarmed on 12 May
Extractor: borrowed from Stellan`,
    states: [
      ['Hive 3', 'queen', 'blue'],
      ['Hive 3', '8 frames'],
      ['Hive 5', '12 May'],
      ['extractor', 'Stellan'],
    ],
  },
  {
    text: `Router: Fritzbox 7590 in the hallway cupboard
Electricity meter: 99-1204-88
Recycling: blue bin, every second Tuesday
Neighbour: Mrs. Okafor, has a spare key`,
    states: [
      ['router', 'Fritzbox 7590'],
      ['electricity meter', '99-1204-88'],
      ['recycling', 'Tuesday'],
      ['neighbour', 'Okafor'],
      ['spare key'],
    ],
  },
  {
    text: `Full name: Lucas Meyer
Birthday: 4 December 1988
Blood type: 0 negative
GP: Dr. Amara Nwosu
Emergency contact: Ella Meyer, 555 0177`,
    states: [
      ['Lucas Meyer'],
      ['birthday', '4 December'],
      ['blood type', '0 negative'],
      ['Amara Nwosu'],
      ['Ella Meyer'],
      ['555 0177'],
    ],
  },
  {
    text: `Bike: Brompton P Line
Helmet size: M
Lock code: 5519`,
    states: [
      ['bike', 'Brompton'],
      ['helmet size', 'M'],
      ['lock code', '5519'],
    ],
  },
  {
    text: `Sefa  2:41 PM
the invoice for Polden is paid
Ruth  2:45 PM
thanks!
Ruth  2:46 PM
I take over support from Monday`,
    states: [
      ['invoice', 'Polden', 'paid'],
      ['Ruth', 'support'],
    ],
    never: ['thanks'],
  },
  {
    text: `Ivo — 18:02
my daughter starts school in September
Carmen — 18:05
I have a spare desk, Ivo
Ivo — 18:06
perfect`,
    states: [
      ['Ivo', 'daughter', 'school'],
      ['Carmen', 'spare desk'],
    ],
    never: ['perfect'],
  },
  {
    text: `[12/04/2025 08:11] Gita
I am at the dentist until ten
[12/04/2025 08:13] Leo
ok, I have the keys to the van`,
    states: [
      ['Gita', 'dentist'],
      ['Leo', 'keys', 'van'],
    ],
  },
  {
    text: `12 January
Started cello lessons with Mr. Ferreira. The bow was 90 euros.

19 January
Sold the old piano to Henrike.`,
    states: [
      ['cello lessons', 'Ferreira'],
      ['bow', '90 euros'],
      ['sold', 'piano', 'Henrike'],
    ],
  },
  {
    text: `Monday 3 June
Dinner with Salome at Trattoria Lupo. Back pain again.
Tuesday 4 June
Dr. Weiss prescribed ibuprofen 600 mg.`,
    states: [['Salome', 'Trattoria Lupo'], ['back pain'], ['Weiss', 'ibuprofen']],
  },
  {
    text: `Project: Lanternfish
Language: Rust 1.83
CI: GitHub Actions; releases are cut with cargo-dist
Linter: clippy, warnings are errors`,
    states: [['Lanternfish'], ['Rust 1.83'], ['GitHub Actions'], ['cargo-dist'], ['linter', 'clippy']],
  },
  {
    text: `Environment
- Python 3.13 with uv
- Redis runs on port 6380
- migrations live in db/migrations`,
    states: [['Python 3.13'], ['Redis', '6380'], ['migrations', 'db/migrations']],
  },
  {
    text: `Gratitude
- sunshine
- good people
Motto: one day at a time`,
    states: [],
    never: ['sunshine', 'good people', 'one day'],
  },
  {
    text: `Agenda
1. Welcome
2. Any other business
Status: done`,
    states: [],
    never: ['welcome', 'business', 'done'],
  },
];
