// The calibration cases: queries, each with a passage that answers it and two unrelated ones that may share an everyday
// word. Every embedder is fitted on them. They cover things that agents remember, a few in German and Japanese. No two
// queries share a subject, so every passage is also a wrong answer to all other queries.

export interface CalibrationCase {
  readonly query: string;
  readonly related: string;
  readonly unrelated: readonly [string, string];
}

/** query | related | unrelated | unrelated */
const ENGLISH = `
When is the school play? | The school play is on Friday 7 March at half past five. | Set the washing machine to forty degrees, never higher. | When it rains the cellar smells of moss.
What is my shoe size? | I wear shoes in size 43, wide fit. | My cousin works nights at the bakery. | The best view is from the tower at dusk.
Who is my landlord? | Our landlord is Mr. Castellan; call him about repairs. | The ferry needs forty minutes in calm weather. | Who knows, perhaps it will snow.
Where do I keep the fuse box key? | The key for the fuses hangs behind the pantry door. | I keep forgetting to water the cactus. | Marbles are sold by weight there.
Which language is Omar learning? | Omar takes Italian lessons twice a week. | The van fails its inspection every year. | Learning to juggle takes a fortnight.
How much did the roof repair cost? | The roofers charged 2,300 for repairing the roof. | The film was much longer than we expected. | Chess club moved to the back room.
What does Nadia do for work? | Nadia works as a nurse on the children ward. | The kite got caught in a pine tree. | What a week, I did nothing at all.
What is the code of the garage? | Garage door: enter 5528, then the hash key. | The choir sang in the ruins. | Turn left after the second bridge.
Am I allowed to eat shellfish? | Prawns and mussels give me hives, so no shellfish for me. | Parking is allowed from seven in the evening. | The harp needs new strings.
Which bank holds my pension? | My pension is managed by Halden Bank. | We sat by the river until the lanterns came. | The uncle from Bergen collects stamps.
When was the smoke alarm checked? | I tested all the smoke alarms on 2 February. | Breakfast is served until eleven on Sundays. | The train was late, as always.
What music does the baby fall asleep to? | The baby only sleeps with whale songs playing. | Carrots and leeks go into the blue crate. | They fall behind with the harvest.
How do I restart the router? | Hold the black button on the router for ten seconds. | The bakery closes early before holidays. | How they laughed at the old posters!
What is the name of the new manager? | The new manager is called Beatriz Nunes. | The name of that mountain means sleeping giant. | Bring rubber boots for the marsh.
Why did we change the insurance company? | We left the old insurance because it refused the claim for the flood. | Swallows nest under the station roof. | I change the sheets every second week.
How tall is the bookcase? | The bookcase measures 2.02 metres in height. | A man asked for directions to the abbey. | Nothing beats a warm stone after skating.
Which vaccine did the dog get? | The dog had his rabies vaccination yesterday. | I get up before sunrise in June. | The mosaic shows a hunting scene.
What is my favourite tea? | I love smoky lapsang more than any other tea. | Her favourite colour is orange. | The quarry closed in the seventies.
How do we split the electricity bill? | Electricity is split three ways, by the room. | Granny sent a postcard from Oslo. | The orchard needs pruning in February.
Who babysits on Saturday? | Amelie babysits the twins on Saturday evening. | The market sells honey from the heath. | Nobody answers before ten.
Where did we buy the curtains? | The curtains are from Delaney and Sons in Cork. | Snow chains are required above the village. | We will be there around noon.
When does the lease of the copier end? | The copier is leased until April next year. | The story ends with a storm at sea. | Raspberries do well along the south wall.
What should I not say to Frank? | Frank hates being asked about his divorce. | The lighthouse blinks every nine seconds. | I should really learn to whistle.
How many chairs do we need for the meeting? | Fourteen people come to the meeting, so we need fourteen chairs. | Many thanks for the lovely parcel. | The glacier retreats ten metres a year.
Which train do I take to Ghent? | The 8:12 train from platform 4 goes straight to Ghent. | Take a sweater, evenings are cold. | Bats live in the attic of the mill.
What is the wording on the ring? | Engraved inside the ring: always northwards. | Pumpkins grew over the fence. | The clock on the town hall is slow.
How hot must the kiln be? | Fire the kiln to 1,240 degrees for stoneware. | Soup is on the stove, help yourself. | She learned to sail on the Baltic.
Who is allergic to bees? | Ivo carries an injector because of his bee allergy. | Lavender should be cut in August. | The museum is closed on Mondays.
What did the surveyor find? | The survey showed damp in the cellar and a cracked lintel. | Otters were seen near the weir. | We find the old recipe too sweet.
What is our target for donations? | We hope to raise 15,000 in donations for the hospice. | Ice skating begins at the end of November. | Both windows face the courtyard.
How often is the pool cleaned? | They clean the swimming pool every ten days. | A shirt was left on the line. | The comet will be visible until Easter.
Which editor does Kwame use? | Kwame writes all his code in Emacs. | Peat fires can burn for months. | Use the back door after nine.
What is the size of the test group? | Sixty-two patients form the test group of the trial. | They hiked to the waterfall and back. | I prefer trains with compartments.
Where is the spare wheel? | The spare wheel lies under the floor of the boot. | Lentils need no soaking. | Where the path forks, keep right.
Who translated the contract? | Helga translated the contract into French. | Cherry stones make a good pillow. | The stall sells baskets and rope.
What does the doctor want me to stop? | The doctor told me to quit smoking by summer. | I want to see the desert in bloom. | Fog closed the airport again.
Which flowers does Aunt June like? | Aunt June adores peonies. | Salt is in the tin with the ship. | It looks like a lamp from the fifties.
How long is the warranty on the fridge? | The fridge is covered by warranty for five years. | It is a long way to the coast. | Gliders start behind the sawmill.
What did I promise Elena? | I promised Elena to help her move in May. | Barley was cheaper this autumn. | The tower has 311 steps.
Which seat do I prefer on a plane? | On flights I always book an aisle seat near the front. | The potter fires twice a year. | Rye bread keeps for a week.
What is the limit on my card? | The limit of the credit card is 2,500 a month. | The speedway opens again in spring. | My neighbour breeds canaries.
When did Samira join the team? | Samira has been on the team since October 2021. | Two pipes froze in the night. | When in doubt, ask the porter.
What colour are the kitchen walls? | We painted the kitchen in sage green. | Sheep have right of way here. | The last tram leaves at one.
How do I like my eggs? | Eggs only soft-boiled, four minutes. | I like to draw bridges. | The canal is drained for repairs.
Which database holds the orders? | Orders are stored in the Oslo MySQL database. | The soup kitchen looks for helpers. | Waxwings came to the rowan tree.
Who has the projector? | Tamsin borrowed our projector for the fair. | The carousel plays waltzes. | Dry wood is behind the shed.
What was the diagnosis? | The diagnosis is Lyme disease. | The blacksmith gives courses. | What was left went to the hens.
How far is the cabin from the road? | You walk two kilometres from the road to the cabin. | So far nobody has complained. | Linen must be ironed damp.
Which phone does grandma have? | Grandma uses an old Nokia phone with big buttons. | Frogs kept us awake. | Flour comes from the water mill.
What are the opening hours of the tip? | The tip is open Tuesday to Sunday, nine to four. | It took hours to open the crate. | The poet lived above the chemist.
`;

const OTHERS = `
Wann beginnt der Schwimmkurs? | Der Schwimmkurs beginnt am 4. September um 16 Uhr. | Die Aktie ist wieder gefallen. | Wann immer es regnet, klemmt das Tor.
Welche Allergie hat Felix? | Felix hat eine Allergie gegen Katzenhaare. | Das Fahrrad steht im Keller. | Die Farbe blättert vom Zaun.
Wie viel kostet der Kindergarten? | Für den Kindergarten zahlen wir 310 Euro im Monat. | Im Moor sind viele Kraniche. | Der Käse kommt aus dem Allgäu.
Wer gießt die Blumen? | Frau Lorenz gießt die Blumen, wenn wir weg sind. | Das Boot heißt Möwe. | Wer zuerst kommt, darf wählen.
Wo liegt der Impfpass? | Der Impfpass steckt in der roten Mappe. | Die Straße ist im Winter gesperrt. | Morgens liegt Nebel im Tal.
Was isst Paula nicht? | Paula isst keine Pilze und lebt vegan. | Das Cello muss gestimmt werden. | Der Zug fährt nicht über Ulm.
Wie heißt der Hausmeister? | Unser Hausmeister heißt Herr Kowalski. | Heute war es sehr heiß. | Das Dach ist dicht.
Welches Bier trinkt Opa? | Opa trinkt nur Kölsch. | Im Schuppen liegen Bretter. | Welches Kleid steht mir besser?
会議は何時に始まりますか？ | 会議は午前十時から第二会議室で始まる。 | 庭の椅子を青く塗った。 | 魚は市場で買うのが安い。
母の誕生日はいつですか？ | 母の誕生日は二月二十日だ。 | 庭で野菜を育てている。 | 橋の工事は来年まで続く。
駐車場の料金はいくらですか？ | 駐車場の料金は月に一万二千円だ。 | 友人と山に登った。 | 電車が三十分遅れた。
弟はどこで働いていますか？ | 弟は名古屋の病院で働いている。 | 釣りの道具を片付けた。 | 角を曲がるとバス停がある。
好きな飲み物は何ですか？ | 一番好きな飲み物は冷たい麦茶だ。 | 傘を忘れて濡れた。 | 昨日の映画は長かった。
暗証番号は何番ですか？ | 玄関の暗証番号は7391に変えた。 | 札を取って待つ。 | 冬は毛布を二枚使う。
`;

const readCalibrationCase = (line: string): CalibrationCase => {
  const [query = '', related = '', first = '', second = ''] = line.split(' | ');
  return { query, related, unrelated: [first, second] };
};

const casesIn = (table: string): readonly CalibrationCase[] =>
  table.trim().split('\n').map(readCalibrationCase);

export const ENGLISH_CASES = casesIn(ENGLISH);
export const CALIBRATION_CASES = [...ENGLISH_CASES, ...casesIn(OTHERS)];
