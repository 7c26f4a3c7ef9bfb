// A labelled store for measuring the threshold: everyday notes and conversations, questions with their answers,
// and questions about nothing in it. Written apart from the pairs that similarity is fitted on.

export interface Note {
  id: string;
  text: string;
}

export interface Talk {
  id: string;
  date: string;
  /** Human dialogue names its speakers; a role chat has "user" and "assistant". */
  turns: readonly (readonly [speaker: string, text: string])[];
}

export interface LabelledTag {
  tag: string;
  notes: readonly Note[];
  talks: readonly Talk[];
  /** An answer is a note's id, or a talk's id with the turn's position: "trip/3". */
  questions: readonly (readonly [question: string, ...answers: string[]])[];
  aboutNothing: readonly string[];
}

const ana: LabelledTag = {
  tag: 'ana',
  talks: [],
  notes: [
    { id: 'dentist', text: 'Dentist moved to Tuesday 14 May at 9:30, Dr. Okafor on Mill Lane.' },
    {
      id: 'penicillin',
      text: 'I am allergic to penicillin. The pharmacist put it on my record after the rash in January.',
    },
    {
      id: 'bike',
      text: 'Bought a used Brompton folding bike from Pete for 620 pounds; the serial number is under the saddle.',
    },
    {
      id: 'rent',
      text: 'Rent goes up to 1,150 a month from September. The landlord wants it by standing order on the first.',
    },
    {
      id: 'boiler',
      text: 'Boiler pressure should sit between 1 and 1.5 bar. Top it up with the grey valve under the sink.',
    },
    { id: 'wifi', text: 'The guest wifi is called Pelican and its password is driftwood-91.' },
    { id: 'mum', text: 'Mum turns 70 on 3 October. She has always wanted to see the northern lights.' },
    { id: 'coffee', text: 'I stopped drinking coffee after noon because it kept me awake until two.' },
    {
      id: 'marathon',
      text: 'Signed up for the Leeds half marathon. Long run every Sunday, 18 km by the end of March.',
    },
    { id: 'cat', text: 'Miso, our cat, needs half a thyroid tablet every morning with her food.' },
    { id: 'vet', text: "The vet's out-of-hours line is 0113 555 0199." },
    {
      id: 'passport',
      text: 'My passport runs out in February 2027; renew it before booking anything outside Europe.',
    },
    {
      id: 'curry',
      text: "Sofia's chickpea curry: two tins of chickpeas, coconut milk, a thumb of ginger, simmer twenty minutes.",
    },
    { id: 'vegetarian', text: 'Tom and Ines do not eat meat or fish, so plan dinners without them.' },
    {
      id: 'piano',
      text: 'Piano lessons on Thursdays at six with Mrs. Halloran. Working on the Satie pieces.',
    },
    {
      id: 'mortgage',
      text: 'Mortgage broker said we can borrow up to 240,000 if the deposit is at least ten percent.',
    },
    { id: 'glasses', text: 'New prescription: left -2.25, right -1.75. Order the round frames again.' },
    {
      id: 'sourdough',
      text: 'Feed the sourdough starter on Wednesday and Saturday, equal parts flour and water.',
    },
    {
      id: 'plants',
      text: 'While we are away, Yusuf waters the tomatoes and the fern. The spare key is with him.',
    },
    {
      id: 'car',
      text: 'The car passed its MOT but the front brake pads will need replacing within 5,000 miles.',
    },
    { id: 'gym', text: 'Cancelled the gym; swimming at the lido is free before eight.' },
    { id: 'book', text: 'Finished The Dispossessed. My favourite novel this year by a long way.' },
    { id: 'insurance', text: 'Home insurance is with Aviva, policy HX-20817, renews every 12 June.' },
    {
      id: 'sister',
      text: 'Clara is moving to Lisbon in the autumn for a job at the oceanography institute.',
    },
    {
      id: 'knee',
      text: 'Physio for the knee: three sets of wall sits, no jumping until the swelling is gone.',
    },
    { id: 'sleep', text: 'I sleep best with the window open, even in winter.' },
    {
      id: 'nephew',
      text: 'Leo is seven and mad about sharks. For his birthday a museum trip would be better than another toy.',
    },
    {
      id: 'tax',
      text: 'Tax return is due on 31 January; the accountant needs the freelance invoices by Christmas.',
    },
    { id: 'tent', text: 'The tent lost a pole in the Lakes. Order a spare 8.5 mm section before summer.' },
    { id: 'printer', text: 'Printer at home: an Epson ET-2850. Refill with the 102 ink bottles only.' },
    { id: 'wine', text: 'We liked the Portuguese red from the corner shop, Quinta do Crasto.' },
    { id: 'choir', text: 'Choir concert on 21 December in St. Mary. I sing alto, black clothes.' },
    {
      id: 'window',
      text: 'The glazier comes on Monday between eight and ten to fix the cracked pane in the bathroom.',
    },
    {
      id: 'password',
      text: 'My password manager is Bitwarden; the emergency sheet lies in the blue folder.',
    },
    { id: 'haircut', text: 'Haircuts at Nino on Cross Street, always ask for Marta.' },
    { id: 'savings', text: 'Moved 3,000 into the savings account that pays 4.2 percent; locked for a year.' },
    { id: 'flight', text: 'Flight to Porto on 9 August, TP1363 from Manchester at 6:55. Two cabin bags.' },
    { id: 'spanish', text: 'Spanish class level B1 begins again after Easter, room 12 of the library.' },
    { id: 'noise', text: 'The upstairs neighbour, Mr. Brandt, plays drums; he promised to stop at nine.' },
    { id: 'blood', text: 'Blood group is A negative, donated last in April.' },
  ],
  questions: [
    ['When do I see the dentist?', 'dentist'],
    ['Which antibiotic must I never be given?', 'penicillin'],
    ['What medicine am I allergic to?', 'penicillin'],
    ['How much did the folding bike cost?', 'bike'],
    ['What will my rent be from September?', 'rent'],
    ['What pressure should the boiler have?', 'boiler'],
    ['What is the wifi password for guests?', 'wifi'],
    ["When is Mum's birthday?", 'mum'],
    ['What has mum always wanted to see?', 'mum'],
    ['Why do I avoid coffee in the afternoon?', 'coffee'],
    ['Which race am I training for?', 'marathon'],
    ['What medication does the cat take?', 'cat'],
    ['Which number do I call when the vet is closed?', 'vet'],
    ['When does my passport expire?', 'passport'],
    ['What goes into the chickpea curry?', 'curry'],
    ['Who is vegetarian among our friends?', 'vegetarian'],
    ['Who teaches me piano?', 'piano'],
    ['How much could we borrow for a house?', 'mortgage'],
    ['What is my eye prescription?', 'glasses'],
    ['How often do I feed the sourdough?', 'sourdough'],
    ['Who has our spare key?', 'plants'],
    ['Does the car need new brakes?', 'car'],
    ['What is my favourite novel?', 'book'],
    ['Where is the home insured?', 'insurance'],
    ['Where is Clara moving?', 'sister'],
    ['Which exercises did the physio give me for my knee?', 'knee'],
    ['What could I give Leo for his birthday?', 'nephew'],
    ['When is the tax return due?', 'tax'],
    ['What ink does our printer take?', 'printer'],
    ['Which part of the tent is broken?', 'tent'],
    ['What do I wear to the choir concert?', 'choir'],
    ['Who is repairing the bathroom window?', 'window'],
    ['What time does the plane to Porto leave?', 'flight'],
    ['Which neighbour is noisy?', 'noise'],
    ['What is my blood type?', 'blood'],
    ['What interest does the savings account pay?', 'savings'],
  ],
  aboutNothing: [
    'What is the name of our hamster?',
    'How do I get the old wallpaper off the hallway?',
    'Which university did my father study at?',
    'What did the electrician charge for the new sockets?',
    'Who won the chess tournament?',
    'What is the capital of Mongolia?',
    'How long do I boil an egg?',
    'Which shares did I sell?',
    'Where did we park at the airport?',
    'What time does the pharmacy close on bank holidays?',
    'What did the lawyer say about the will?',
    'Which camera lens is best for portraits?',
    'How do I change the oil in a lawn mower?',
    'What is the best way to learn Norwegian?',
    'Did the museum answer my application?',
    'How many people came to the wedding?',
  ],
};

const harbour: LabelledTag = {
  tag: 'org_harbour_team_core',
  talks: [],
  notes: [
    {
      id: 'deploy',
      text: 'Deploys happen on Tuesday and Thursday before 15:00; nothing goes out on a Friday.',
    },
    {
      id: 'postgres',
      text: 'We decided to stay on PostgreSQL 16 until the extension we rely on supports 17.',
    },
    {
      id: 'oncall',
      text: 'On-call rota: Priya this week, then Marek, then Dana. Hand over on Monday at ten.',
    },
    { id: 'staging', text: 'Staging lives at staging.harbour.example and is wiped every Sunday night.' },
    { id: 'contract', text: 'The Lindqvist contract is worth 84,000 euros a year and ends on 30 November.' },
    {
      id: 'hiring',
      text: 'We are looking for two backend engineers and one designer; the budget is approved until June.',
    },
    {
      id: 'outage',
      text: 'The outage on 4 March came from an expired TLS certificate on the load balancer.',
    },
    {
      id: 'pricing',
      text: 'New price list: Starter 19, Team 49, Business 149 euros per month, yearly two months free.',
    },
    { id: 'churn', text: 'Churn fell from 4.1 to 2.8 percent after we shortened the sign-up.' },
    { id: 'office', text: 'From May the office is at Speicherstrasse 12, third floor; door code 4471.' },
    { id: 'review', text: 'Every pull request needs one approval; changes to billing need two.' },
    { id: 'logo', text: 'The logo blue is #0B3D91. Never put the logo on a photograph.' },
    { id: 'backup', text: 'Backups run at 02:30 to the Frankfurt bucket and are kept for 35 days.' },
    { id: 'restore', text: 'We rehearse a full restore each quarter; the last took 48 minutes.' },
    {
      id: 'gdpr',
      text: 'Deletion requests by customers must be finished within 30 days. Amina keeps the register.',
    },
    { id: 'retro', text: 'Retro: too many meetings on Wednesday. We try a quiet morning without any calls.' },
    {
      id: 'launch',
      text: 'The mobile app launches on 18 September together with the partner event in Rotterdam.',
    },
    { id: 'feature', text: 'Customers ask most for CSV export, then for single sign-on.' },
    {
      id: 'error',
      text: 'Error E4032 means the warehouse sensor lost its clock. Restart the gateway, not the sensor.',
    },
    { id: 'holiday', text: 'Marek is on holiday from 1 to 19 July; Dana stands in for him.' },
    {
      id: 'laptop',
      text: 'New starters get a 14-inch laptop and a second screen; order a week ahead from Jonas.',
    },
    {
      id: 'travel',
      text: 'Travel: second class by train, flights only above six hours. Receipts go to finance by the fifth.',
    },
    { id: 'api', text: 'The public interface allows 600 calls a minute per customer; partners get 3,000.' },
    {
      id: 'vendor',
      text: 'We dropped Mailbright because a third of the invoices landed in spam; now Postwise sends them.',
    },
    {
      id: 'okr',
      text: 'Goal for the third quarter: one thousand active ports and a median answer below 200 ms.',
    },
    {
      id: 'security',
      text: 'The penetration test found one serious hole, in the file upload; it is closed since version 3.8.2.',
    },
    { id: 'demo', text: 'For demos use the account demo-port; it is reset at midnight.' },
    { id: 'ceo', text: 'Ingrid wants a one-page summary of the numbers each Friday before noon.' },
    { id: 'cache', text: 'We cache vessel positions for ninety seconds; older ones confused the pilots.' },
    {
      id: 'language',
      text: 'Documentation is written in British English; screens exist in English, German and Dutch.',
    },
    { id: 'party', text: 'Summer party on 28 June on the ferry Anneliese, boarding at six.' },
    { id: 'parking', text: 'Visitors may use parking spaces 21 to 24 behind the building.' },
  ],
  questions: [
    ['On which days may we deploy?', 'deploy'],
    ['Why are we not upgrading the database?', 'postgres'],
    ['Which version of PostgreSQL do we run?', 'postgres'],
    ['Who is on call after Priya?', 'oncall'],
    ['When is staging wiped?', 'staging'],
    ['How much is the Lindqvist contract worth?', 'contract'],
    ['Who are we hiring?', 'hiring'],
    ['What caused the outage in March?', 'outage'],
    ['What does the Team plan cost?', 'pricing'],
    ['How did churn develop?', 'churn'],
    ['What is the door code of the office?', 'office'],
    ['How many approvals does a billing change need?', 'review'],
    ['Which blue is in our logo?', 'logo'],
    ['How long do we keep backups?', 'backup'],
    ['How long did restoring everything take?', 'restore'],
    ['Who keeps track of deletion requests?', 'gdpr'],
    ['When does the mobile app launch?', 'launch'],
    ['What do customers ask for most?', 'feature'],
    ['What does E4032 mean?', 'error'],
    ['Who replaces Marek during his holiday?', 'holiday'],
    ['Which hardware does a new starter get?', 'laptop'],
    ['May I fly to Hamburg or must I take the train?', 'travel'],
    ['How many calls a minute may a partner make?', 'api'],
    ['Why did we leave Mailbright?', 'vendor'],
    ['What did the penetration test find?', 'security'],
    ['What does Ingrid expect on Fridays?', 'ceo'],
    ['Which languages do our screens support?', 'language'],
    ['Where can visitors park?', 'parking'],
    ['Where is the summer party?', 'party'],
  ],
  aboutNothing: [
    'What is our policy on parental leave?',
    'Who designed the onboarding emails?',
    'Which podcast did the founder speak on?',
    'How do we rotate the signing keys for firmware?',
    'What was the revenue in Japan?',
    'Which law firm reviewed the trademark?',
    'How large is the training data?',
    'When does the lease of the warehouse robots end?',
    'What did the board decide about the acquisition of Tideway?',
    'Which keyboard shortcut opens the command palette?',
    'Who takes the dog to the kennel?',
    'How many goals did the women score in the final?',
    'What is the recipe for the lemon cake?',
  ],
};

const family: LabelledTag = {
  tag: 'family',
  notes: [],
  talks: [
    {
      id: 'spring',
      date: '2025-04-06',
      turns: [
        ['Ruth', 'Hey Daniel! How did the interview at the observatory go?'],
        ['Daniel', 'Better than I feared. They want me to start in June as a night operator.'],
        ['Ruth', 'That is wonderful news! What does a night operator do?'],
        ['Daniel', 'Point the big telescope, watch the clouds and drink a lot of tea.'],
        ['Ruth', 'Ha, you were made for that. I finally adopted a dog, by the way.'],
        ['Daniel', 'No way! What breed?'],
        ['Ruth', 'A greyhound from the rescue in Malton. She is four and her name is Pepper.'],
        ['Daniel', 'Does she get along with your rabbits?'],
        ['Ruth', 'They live upstairs for now. We are doing it slowly.'],
        ['Daniel', 'Good idea. I am still looking for a flat near the mountain.'],
        ['Ruth', 'Would you share, or live on your own?'],
        ['Daniel', 'Alone, if I can afford it. My limit is 700 a month.'],
        ['Ruth', 'My cousin Edith rents out a cottage up there. Shall I ask her?'],
        ['Daniel', 'Yes please, that would save me weeks.'],
      ],
    },
    {
      id: 'summer',
      date: '2025-07-19',
      turns: [
        ['Daniel', 'Sorry for going quiet, nights turned me into an owl.'],
        ['Ruth', 'How is the cottage?'],
        ['Daniel', 'Tiny and perfect. Edith even left me her record player.'],
        ['Ruth', 'She only does that for people she likes! I started pottery last month.'],
        ['Daniel', 'Since when do you have time for that?'],
        ['Ruth', 'I went down to four days at the library, so Mondays are free now.'],
        ['Daniel', 'Make me a mug. Mine broke when I moved.'],
        ['Ruth', 'Deal. Green glaze or blue?'],
        ['Daniel', 'Green. It matches the kettle.'],
        ['Ruth', 'I have some sad news too. Grandpa Walter fell and broke his hip.'],
        ['Daniel', 'Oh no. Is he in hospital?'],
        ['Ruth', 'In York, they operated yesterday. He already complains about the food.'],
        ['Daniel', 'Then he is on the mend. I will visit on Saturday.'],
        ['Ruth', 'He would love that. Bring crosswords, the hard ones.'],
      ],
    },
    {
      id: 'autumn',
      date: '2025-10-11',
      turns: [
        ['Ruth', 'Your mug survived the kiln! I will post it on Monday.'],
        ['Daniel', 'You are the best. Guess what, I discovered a variable star nobody had listed.'],
        ['Ruth', 'Do you get to name it?'],
        ['Daniel', 'Only a catalogue number, sadly. But my name is in the paper.'],
        ['Ruth', 'I am so proud of you. Pepper had an operation on her paw last week.'],
        ['Daniel', 'Poor thing, what happened?'],
        ['Ruth', 'She stepped on glass at the beach in Whitby. Six stitches.'],
        ['Daniel', 'Ouch. And how is Walter?'],
        ['Ruth', 'Walking with a stick and flirting with the nurses.'],
        ['Daniel', 'I gave up sugar in my tea, can you believe it?'],
        ['Ruth', 'No! You used to take three spoons.'],
        ['Daniel', 'The doctor scared me with the blood test.'],
        ['Ruth', 'Good for you. Are you coming for Christmas?'],
        ['Daniel', 'I work until the 26th, but I have New Year off. I could come by train on the 30th.'],
        ['Ruth', 'Then we go sledging with the children of Naomi.'],
      ],
    },
  ],
  questions: [
    ['What job did Daniel get?', 'spring/1'],
    ['When does Daniel start at the observatory?', 'spring/1'],
    ['What kind of dog does Ruth have?', 'spring/6'],
    ["What is the name of Ruth's dog?", 'spring/6'],
    ["Where do Ruth's rabbits live?", 'spring/8'],
    ['How much rent can Daniel afford?', 'spring/11'],
    ['Who owns the cottage?', 'spring/12'],
    ['What did Edith leave in the cottage?', 'summer/2'],
    ['Which new hobby did Ruth take up?', 'summer/3'],
    ['Why are Mondays free for Ruth?', 'summer/5'],
    ['Which glaze did Daniel choose for his mug?', 'summer/8'],
    ['What happened to Grandpa Walter?', 'summer/9'],
    ['Where was Walter operated?', 'summer/11'],
    ['What should Daniel bring to Walter?', 'summer/13'],
    ['What did Daniel discover?', 'autumn/1'],
    ['How did Pepper hurt her paw?', 'autumn/6'],
    ['Why did Daniel give up sugar?', 'autumn/11', 'autumn/9'],
    ['When will Daniel come by train?', 'autumn/13'],
    ['How is Walter walking now?', 'autumn/8'],
  ],
  aboutNothing: [
    'Which motorbike does Daniel ride?',
    'Where did Ruth study law?',
    'What did Ruth plant on the balcony?',
    'How much did the new sofa cost?',
    'Who repaired the dishwasher?',
    'What is the best way to remove a coffee stain?',
    'Which football club does Daniel support?',
    'What is the population of Norway?',
  ],
};

const coach: LabelledTag = {
  tag: 'user:4711',
  notes: [],
  talks: [
    {
      id: 'garden',
      date: '2025-03-02',
      turns: [
        [
          'user',
          'I have a north-facing balcony in Hamburg and want to grow something I can eat. My balcony is 4 by 1.5 metres.',
        ],
        [
          'assistant',
          'On a shady balcony leafy greens do well: spinach, rocket, chard and lettuce. Mint, chives and parsley also cope with little sun.',
        ],
        ['user', 'I hate coriander, please never suggest it. How deep must the boxes be?'],
        ['assistant', 'Twenty centimetres are enough for salads and herbs; chard prefers thirty.'],
        ['user', 'My budget is 120 euros for everything.'],
        [
          'assistant',
          'That covers four boxes, 200 litres of peat-free soil and seeds, with about 25 euros left.',
        ],
      ],
    },
    {
      id: 'thesis',
      date: '2025-03-20',
      turns: [
        ['user', 'My thesis is about the migration of eels in the Elbe. I have to hand it in on 15 July.'],
        [
          'assistant',
          'Then plan backwards: analysis finished by May, a full draft by mid June, two weeks for corrections.',
        ],
        ['user', 'My supervisor is Professor Adeyemi and she wants the figures in R, not in Python.'],
        [
          'assistant',
          'Use ggplot2 with one theme for all figures, and keep the scripts beside the data so that each figure can be rebuilt.',
        ],
        ['user', 'I write best between six and nine in the morning.'],
        ['assistant', 'Keep those three hours for writing only, and move mail and reading to the afternoon.'],
      ],
    },
    {
      id: 'running',
      date: '2025-04-11',
      turns: [
        ['user', 'I got shin splints after doubling my kilometres. What now?'],
        [
          'assistant',
          'Stop running for ten days, cycle or swim instead, and come back with a third of the distance on soft ground.',
        ],
        ['user', 'I run in shoes that are three years old.'],
        ['assistant', 'Replace them: after about 800 kilometres the cushioning is gone.'],
      ],
    },
  ],
  questions: [
    ['How big is my balcony?', 'garden/0'],
    ['Which herb do I dislike?', 'garden/2'],
    ['Which vegetables grow on a shady balcony?', 'garden/1'],
    ['What is my budget for the balcony?', 'garden/4'],
    ['How deep must a box for chard be?', 'garden/3'],
    ['What is my thesis about?', 'thesis/0'],
    ['When is the thesis due?', 'thesis/0'],
    ['Who supervises my thesis?', 'thesis/2'],
    ['At what time of day do I write best?', 'thesis/4'],
    ['Which injury did I get from running?', 'running/0'],
    ['How old are my running shoes?', 'running/2'],
    ['After how many kilometres should shoes be replaced?', 'running/3'],
  ],
  aboutNothing: [
    'Which mortgage rate did the bank offer me?',
    'What is the name of my guitar teacher?',
    'How do I tune a violin?',
    'Which vaccine do I need for Kenya?',
    'What is my shoe brand sponsor paying?',
  ],
};

const lena: LabelledTag = {
  tag: 'lena',
  talks: [],
  notes: [
    { id: 'zahnarzt', text: 'Der Termin beim Zahnarzt ist am 12. Juni um 8:15 Uhr bei Frau Dr. Petersen.' },
    { id: 'miete', text: 'Ab Oktober kostet die Wohnung 890 Euro warm.' },
    { id: 'nuss', text: 'Jonas verträgt keine Haselnüsse, auch nicht im Kuchen.' },
    { id: 'garten', text: 'Die Tomaten im Schrebergarten brauchen jeden zweiten Abend Wasser.' },
    { id: 'urlaub', text: 'Im August fahren wir mit dem Nachtzug nach Wien und bleiben zehn Tage.' },
    { id: 'auto', text: 'Das Auto muss bis Ende November zum TÜV.' },
    { id: 'oma', text: 'Oma Hilde hört am liebsten Schubert und mag keine lauten Restaurants.' },
    { id: 'kita', text: 'Die Kita schließt in den Weihnachtsferien vom 22. Dezember bis zum 2. Januar.' },
    { id: 'heizung', text: 'Die Heizung im Bad klopft; der Klempner Herr Yilmaz kommt am Donnerstag.' },
    { id: 'schuhe', text: 'Mila hat jetzt Schuhgröße 28.' },
  ],
  questions: [
    ['Wann ist mein Termin beim Zahnarzt?', 'zahnarzt'],
    ['Wie teuer ist die Wohnung ab Oktober?', 'miete'],
    ['Was verträgt Jonas nicht?', 'nuss'],
    ['Wohin fahren wir im August?', 'urlaub'],
    ['Wann muss das Auto zum TÜV?', 'auto'],
    ['Welche Musik hört Oma Hilde gern?', 'oma'],
    ['Wer repariert die Heizung?', 'heizung'],
    ['Welche Schuhgröße hat Mila?', 'schuhe'],
  ],
  aboutNothing: [
    'Wie heißt der neue Chef von Karin?',
    'Was kostet ein Flug nach Island?',
    'Wo habe ich den Fahrradschlüssel versteckt?',
    'Welches Holz nimmt man für eine Geige?',
  ],
};

const jun: LabelledTag = {
  tag: '日本語',
  talks: [],
  notes: [
    { id: 'haisha', text: '歯医者の予約は6月3日の午後4時です。' },
    { id: 'tamago', text: '娘は卵アレルギーなので、ケーキは卵なしで頼む。' },
    { id: 'kyoto', text: '11月に京都へ紅葉を見に行く。宿は駅の近くに予約した。' },
    { id: 'jitensha', text: '自転車の鍵は玄関の青い箱に入っている。' },
    { id: 'piano', text: 'ピアノの発表会は9月15日、市民ホールで行われる。' },
    { id: 'inu', text: '犬のハナは雷が苦手で、夜は一緒に寝る。' },
    { id: 'kaisha', text: '新しい会社は大阪にあり、4月から週三日は在宅勤務になる。' },
    { id: 'kusuri', text: '父の血圧の薬は朝食の後に一錠飲む。' },
  ],
  questions: [
    ['歯医者の予約はいつですか？', 'haisha'],
    ['娘は何のアレルギーがありますか？', 'tamago'],
    ['自転車の鍵はどこにありますか？', 'jitensha'],
    ['ピアノの発表会はどこで行われますか？', 'piano'],
    ['犬のハナは何が苦手ですか？', 'inu'],
    ['新しい会社はどこにありますか？', 'kaisha'],
    ['父の薬はいつ飲みますか？', 'kusuri'],
  ],
  aboutNothing: [
    '冷蔵庫の保証期間は何年ですか？',
    '隣の家の猫の名前は何ですか？',
    '東京の人口はどのくらいですか？',
  ],
};

export const LABELLED_TAGS: readonly LabelledTag[] = [ana, harbour, family, coach, lena, jun];
