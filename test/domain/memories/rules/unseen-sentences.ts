// Sentences as people say them, written without a look at the rules: what each states, or that it states nothing.

export interface UnseenSentence {
  /** Said by Nora, who talks to an assistant. */
  readonly said: string;
  /** One row for each memory: the words that it has to hold. */
  readonly states: readonly (readonly string[])[];
}

const states = (said: string, ...memories: readonly (readonly string[])[]): UnseenSentence => ({
  said,
  states: memories,
});
const nothing = (said: string): UnseenSentence => ({ said, states: [] });

export const unseenSentences: readonly UnseenSentence[] = [
  // Work and school.
  states('I work as a midwife at the hospital in Tromsø.', ['Nora', 'midwife', 'Tromsø']),
  states('My boss is called Henrik.', ['Nora', 'boss', 'Henrik']),
  states('I quit my job at the bank in March.', ['Nora', 'job', 'bank']),
  states('My sister teaches chemistry at a school in Bath.', ['sister', 'chemistry', 'Bath']),
  states('I have been a carpenter for twenty years.', ['Nora', 'carpenter', 'twenty years']),
  states('I studied law in Utrecht.', ['Nora', 'law', 'Utrecht']),
  states('We are a team of five at Larkfield Systems.', ['team', 'five', 'Larkfield Systems']),
  states('My shift starts at six in the morning.', ['Nora', 'shift', 'six']),
  states('I run a small bakery with my cousin Pavel.', ['Nora', 'bakery', 'Pavel']),
  states('I got promoted to head nurse.', ['Nora', 'promoted', 'head nurse']),
  // Home and places.
  states('I live in a small flat above a bookshop in Porto.', ['Nora', 'flat', 'Porto']),
  states('We moved from Leipzig to Graz two years ago.', ['Leipzig', 'Graz']),
  states('My parents live near the Swiss border.', ['parents', 'Swiss border']),
  states('Our house has a large garden with three apple trees.', ['house', 'garden', 'apple trees']),
  states('I grew up on a farm in Iowa.', ['Nora', 'grew up', 'farm', 'Iowa']),
  states('I am renting a cabin by the lake this summer.', ['Nora', 'cabin', 'lake']),
  states('I was born in Montevideo.', ['Nora', 'born', 'Montevideo']),
  states('My address is 14 Willow Lane.', ['Nora', 'address', '14 Willow Lane']),
  // Family, friends, animals.
  states('My daughter Elin turns nine in May.', ['daughter', 'Elin', 'nine']),
  states('I have two brothers.', ['Nora', 'two brothers']),
  states('My husband is allergic to shellfish.', ['husband', 'allergic', 'shellfish']),
  states('Our dog Bruno is a beagle.', ['dog', 'Bruno', 'beagle']),
  states('I got married in 2014.', ['Nora', 'married', '2014']),
  states('My grandmother speaks five languages.', ['grandmother', 'five languages']),
  states('My best friend Amara plays the cello.', ['friend', 'Amara', 'cello']),
  states('We adopted a grey cat from the shelter.', ['adopted', 'grey cat']),
  states('My uncle owns a vineyard near Siena.', ['uncle', 'vineyard', 'Siena']),
  states("My son's name is Teodor.", ['son', 'Teodor']),
  // Tastes and habits.
  states('I hate coriander.', ['Nora', 'hate', 'coriander']),
  states('I love hiking in the Dolomites.', ['Nora', 'hiking', 'Dolomites']),
  states('My favourite colour is dark green.', ['Nora', 'colour', 'dark green']),
  states('I prefer trains to planes.', ['Nora', 'prefer', 'trains']),
  states('I drink my coffee black.', ['Nora', 'coffee', 'black']),
  states('I go swimming every Tuesday evening.', ['Nora', 'swimming', 'Tuesday']),
  states('I never eat breakfast.', ['Nora', 'never', 'breakfast']),
  states('I play chess online at night.', ['Nora', 'chess']),
  states('I am a vegetarian.', ['Nora', 'vegetarian']),
  states('I usually wake up before sunrise.', ['Nora', 'wake', 'sunrise']),
  states("I can't stand loud music.", ['Nora', 'loud music']),
  states('I read mostly crime novels.', ['Nora', 'crime novels']),
  // Health, things, skills.
  states('I am allergic to penicillin.', ['Nora', 'allergic', 'penicillin']),
  states('I broke my wrist when I was skating.', ['Nora', 'wrist']),
  states('I drive an old Volvo.', ['Nora', 'Volvo']),
  states('I speak Finnish and a little Estonian.', ['Nora', 'Finnish']),
  states('I bought a new bicycle yesterday.', ['Nora', 'bicycle']),
  states('My phone is a Fairphone 5.', ['Nora', 'phone', 'Fairphone 5']),
  states('I have diabetes.', ['Nora', 'diabetes']),
  states('I wear size 39 shoes.', ['Nora', '39', 'shoes']),
  states('I sold my piano.', ['Nora', 'sold', 'piano']),
  states('I am learning to weld.', ['Nora', 'learning', 'weld']),
  // Plans and events.
  states('I will fly to Lisbon on 12 June 2027.', ['Nora', 'Lisbon', '12 June 2027']),
  states('My exam is on the third of December.', ['Nora', 'exam', 'December']),
  states('We are planning a trip to Iceland.', ['trip', 'Iceland']),
  states('I want to open a flower shop.', ['Nora', 'flower shop']),
  states('I ran my first marathon in Valencia.', ['Nora', 'marathon', 'Valencia']),
  states('I met Jonas at a concert.', ['Nora', 'Jonas', 'concert']),
  states('I signed up for a pottery class.', ['Nora', 'pottery class']),
  states('The wedding will be in a barn outside Ghent.', ['wedding', 'barn', 'Ghent']),
  // Two statements in one sentence.
  states('I live in Bergen and I work at the aquarium.', ['Nora', 'Bergen'], ['Nora', 'aquarium']),
  states('My brother is a pilot and my sister is a vet.', ['brother', 'pilot'], ['sister', 'vet']),
  // Wishes about answers.
  states('Please always answer in Dutch.', ['Nora', 'Dutch']),
  states('Call me Nono from now on.', ['Nono']),
  // As people really write.
  states('btw i finally got my driving licence', ['Nora', 'driving licence']),
  states('So it turns out my landlord is selling the building.', ['landlord', 'selling', 'building']),
  states('Honestly, I think my brother drinks too much.', ['brother', 'drinks too much']),
  states('Not sure if I told you, but my mum is in hospital.', ['mum', 'hospital']),
  states('Ever since the accident I have been afraid of motorways.', ['Nora', 'afraid', 'motorways']),
  states("It's my third week at the new office in Kyoto.", ['office', 'Kyoto']),
  states('The one thing I miss about Oslo is the sea.', ['Oslo', 'sea']),
  states('I am not a morning person.', ['Nora', 'not', 'morning person']),
  states('I used to smoke, but I stopped in 2019.', ['Nora', 'smoke'], ['Nora', 'stopped', '2019']),
  states('Turns out I am lactose intolerant.', ['Nora', 'lactose intolerant']),
  states('My flight leaves at 7:40 on Friday.', ['flight', '7:40']),
  states("I've lived here, in Ghent, since I was six.", ['Nora', 'Ghent', 'six']),
  // Nothing to remember.
  nothing('I wonder whether that would work.'),
  nothing('I hope you are well.'),
  nothing('I do not understand your answer.'),
  nothing('My friend asked: where is the station?'),
  nothing('I need you to fix the typo in line 3.'),
  nothing('Suppose I live on Mars, how long is a day?'),
  nothing('What is the capital of Mongolia?'),
  nothing('Thanks, that helps a lot!'),
  nothing('Can you make it shorter?'),
  nothing('Hmm, let me think about that.'),
  nothing('Write a poem about autumn.'),
  nothing('Good morning!'),
  nothing('Yes, please.'),
  nothing('That is not what I meant.'),
  nothing('How do I reverse a list in Python?'),
  nothing('Sorry, wrong window.'),
  nothing('Could you explain the second step again?'),
  nothing('Okay, sounds good.'),
  nothing('Translate this into Spanish.'),
  nothing('I see.'),
  nothing('Why does it say that?'),
  nothing('If I were rich, I would buy an island.'),
  nothing('Give me three ideas for dinner.'),
  nothing('Never mind.'),
  nothing('Is it going to rain tomorrow?'),
  nothing('You are the best!'),
];
