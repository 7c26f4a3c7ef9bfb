// Tests of what is drawn where people tell each other of their days in long messages: what they state, and not what they remark.
import { describe, expect, test } from 'vitest';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { request, turns } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();

const drawnOf = async (...said: readonly (readonly [string, string])[]): Promise<string[]> =>
  (await reader.read(request({ fresh: turns(...said) }))).memories.map(({ memory }) => memory);

const LONG =
  'It was so good to see you at the station again, and the walk along the river afterwards was just what I needed after all that rain.';

describe('a talk gives what its people state', () => {
  test.each([
    ['I planted two cherry trees in the garden of the old school.', /cherry trees/],
    ['We have this sign above the door that says "Fish on Fridays".', /Fish on Fridays/],
    ['I work at the harbour office in Tromsø these days.', /harbour office/],
    ['I sing in the choir of St Olav, and there are two tenors.', /choir/],
    ['I lost my keys again, it has become a habit of mine.', /lost their keys/],
    ['I bake bread at the harbour and they gave me a medal.', /medal/],
    ['I had a great time at the herring festival with my friends.', /herring festival/],
    ['One of the neighbours, Laura, wrote us a letter.', /Laura, wrote Ingrid and others a letter/],
    ['A gift from my grandmother in Bergen.', /^Ingrid: A gift from Ingrid's grandmother in Bergen/],
    ['As a fan of Brann Bergen, I totally disagree.', /^Ingrid is a fan of Brann Bergen$/],
    ['I have to go back to work on 2 January 2024.', /go back to work/],
    ['When I visit my sister in Bergen I play handball in the old hall.', /handball/],
    ["For my mum's birthday on 5 January 2024 we made waffles.", /made waffles/],
    ['We got an airbnb in Bergen, and I read novels and stuff like that.', /novels/],
    ['I love the ocean.', /loves the ocean/],
    ['Our one-year-old is so cute, his name is Balder!', /his name is Balder/],
    ['I baked flat bread there and they taught us the dough.', /flat bread/],
    ['Bodil had a tough time, going through a divorce and losing her job.', /Bodil had .* divorce/],
    ['I am passionate about the schools of our town.', /schools/],
    ['We stayed up all night baking waffles and it really bonded us.', /baking waffles$/],
  ])('%s', async (said, expected) => {
    expect((await drawnOf(['Ingrid', said], ['Oskar', LONG])).join('\n')).toMatch(expected);
  });
});

describe('a talk gives nothing for a remark', () => {
  test.each([
    ['what was shown: the thing has no name', 'I am a huge fan of this instrument.'],
    ['what was named before: a word stands for it', 'I played one with friends at the harbour in Bergen.'],
    ['what was named before: some of it', 'I have exchanged addresses with a few of them in Bergen.'],
    ['a place that was named before', 'I stayed there for quite a bit in 2019.'],
    ['a thing of nobody', 'The soup idea from the restaurant in Bergen is a smart move.'],
    ['a proposal', 'We can play table tennis and darts at the harbour, for example.'],
    ['encouragement in the form of an order', 'Never give up on the trumpet.'],
    ['praise', 'Bergen is awesome.'],
    ['a picture', 'I took a lot of pictures on 3 May 2023.'],
    ['what passes', 'I am doing my best with my lessons.'],
    ['what most people want', 'I am hoping to use my voice to have a positive impact on the community.'],
    ['what was named before: "them" is no project', 'I worked on a project at the harbour to support them.'],
    ['what was said before', 'I want my kids to learn that too.'],
    ['a place behind a word of motion', 'I often go there to read in the spring.'],
    ['something that it is like', 'I loved doing something similar with my sister in Bergen.'],
    ['what is played, which another sentence names', 'I have been playing for about four months now.'],
    ['a place that is meant by "there"', 'I have always wanted to try the herring there.'],
    ['the place of the talk', 'I started volunteering here after a flood in Bergen.'],
    ['somebody who was named before', 'I am always taking notes on her style for my novel.'],
    ['a picture of a summer', 'I took this pic last summer.'],
    ['something that happened', 'Last Friday, something happened on my boat.'],
    ['what the other was told', 'I told you about my trip to Bergen in 2019.'],
    ['joy for the other', 'So glad you had a good time at the herring festival in Bergen.'],
    ['praise of somebody known to all', 'Haaland is the man.'],
    ['an answer to a greeting', 'I am doing well Anna.'],
    ['the state of a day', 'I had a pretty busy day at work today.'],
    ['a film that has no name', 'I recently watched a movie.'],
    ['what is loved of something that was named before', 'I love the characters and the plot.'],
    ['somebody known to all', 'Erling Haaland has had some memorable goals against Bergen.'],
    ['what a sentence sounds like', 'Sounds like a great job since you get 2 days a week off.'],
    ['a time without what was then', 'Since I was 17 or so.'],
    ['words without a verb', 'From a ranger to the king of Gondor.'],
    ['an event without a word for what it was', 'I recently went to an event.'],
    ['a day that was good', 'I had a great time.'],
    ['a mood', 'We have been overwhelmed by the response and the helpers.'],
    ['what somebody does at the moment', 'I am off to go swimming with the kids.'],
    ['an offer to whoever listens', 'I can send you a link to the harbour map.'],
    ['agreement', 'I can not agree with you about Brann Bergen.'],
    ['praise of a place', 'Bergen is a must-visit city.'],
    ['a picture that was shown', 'The photo is from a forest near my hometown.'],
    ['what holds for everybody', 'Concerts are always a delight when you go with friends.'],
  ])('%s', async (_, said) => {
    expect(await drawnOf(['Ingrid', said], ['Oskar', LONG], ['Ingrid', LONG])).toEqual([]);
  });

  test('the same words to an assistant, or in short messages, are kept', async () => {
    const said = 'The soup idea from the restaurant in Bergen is a smart move.';
    expect(await drawnOf(['Ingrid', said], ['Oskar', 'ok'])).not.toEqual([]);
  });
});

describe('a clause stays with what it belongs to', () => {
  test.each([
    [
      'I had a blast last week when my rowing friends and I organized a regatta.',
      /when their rowing friends and Ingrid organized a regatta/,
    ],
    ['My favourite was when we were two goals down and I scored in Bergen.', /when .* and Ingrid scored/],
    ['I practise and train every day for the regatta.', /practises and trains every day/],
    [
      'The last time I played chess in Bergen, I lost my wallet.',
      /The last time Ingrid played chess in Bergen, Ingrid lost/,
    ],
  ])('%s', async (said, expected) => {
    expect((await drawnOf(['Ingrid', said], ['Oskar', LONG])).join('\n')).toMatch(expected);
  });
});

describe('an answer is joined with its question', () => {
  test.each([
    [
      'How long have you been carving spoons?',
      'Since I was 17 or so.',
      'Ingrid has been carving spoons since Ingrid was 17 or so',
    ],
    [
      'How long have you been married?',
      'Five years already!',
      'Ingrid has been married for five years already',
    ],
    ['How often do you row to the island?', 'Twice a week.', 'Ingrid rows to the island twice a week'],
  ])('%s %s', async (asked, said, expected) => {
    expect(await drawnOf(['Oskar', `${LONG} ${asked}`], ['Ingrid', said])).toEqual([expected]);
  });
});

describe('an opener is no part of what is stated', () => {
  test.each([
    ['Speaking of new things, I joined a rowing club in Bergen.', 'Ingrid joined a rowing club in Bergen'],
    ['Wow, Oskar, I joined a rowing club in Bergen.', 'Ingrid joined a rowing club in Bergen'],
    ["Nah, I haven't. I joined a rowing club in Bergen.", 'Ingrid joined a rowing club in Bergen'],
    [
      'I actually have something new, I joined a rowing club in Bergen.',
      'Ingrid joined a rowing club in Bergen',
    ],
    ['On the bright side, I joined a rowing club in Bergen.', 'Ingrid joined a rowing club in Bergen'],
    ["Haven't talked in a while, wanted to let you know I moved to Bergen.", 'Ingrid moved to Bergen'],
  ])('%s', async (said, expected) => {
    expect(await drawnOf(['Ingrid', said], ['Oskar', LONG])).toEqual([expected]);
  });
});

describe('a sentence that is not meant as it stands gives nothing', () => {
  test.each(['I slept like a stone.', "I let in seven on Saturday, so obviously I'm becoming a monk."])(
    '%s',
    async (said) => {
      expect(await drawnOf(['Ingrid', said], ['Oskar', 'ok'])).toEqual([]);
    },
  );

  test('a comparison tells what somebody else can do', async () => {
    expect(await drawnOf(['Ingrid', 'My daughter swims like a fish.'])).not.toEqual([]);
  });
});

describe('a name', () => {
  test('ends before the name of the speaker', async () => {
    const drawn = await drawnOf(
      ['Ingrid', 'My favourite painter is Munch.'],
      ['Oskar', 'Why is he your favourite?'],
      ['Ingrid', 'He lived in Oslo and died in 1944.'],
    );
    expect(drawn.join('\n')).toMatch(/Munch lived in Oslo/);
    expect(drawn.join('\n')).not.toMatch(/Munch Ingrid/);
  });

  test('that introduces somebody takes the place of no other', async () => {
    const drawn = await drawnOf(
      ['Ingrid', 'Two of my favourites are "The Tin Drum" and "Growth of the Soil".'],
      ['Oskar', 'This is Balder – he is so lovable and playful.'],
    );
    expect(drawn.join('\n')).toMatch(/Growth of the Soil/);
  });

  test('is given to nobody whom "a" introduces behind the street of somebody', async () => {
    const drawn = await drawnOf(
      [
        'Ingrid',
        'We were walking around our street, and a stranger came towards us. I had never seen her in Bergen before.',
      ],
      ['Oskar', 'ok'],
    );
    expect(drawn.join('\n')).not.toMatch(/'s stranger/);
  });
});
