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
    ['what holds for everybody', 'Concerts are always a delight when you go with friends.'],
  ])('%s', async (_, said) => {
    expect(await drawnOf(['Ingrid', said], ['Oskar', LONG])).toEqual([]);
  });

  test('the same words to an assistant, or in short messages, are kept', async () => {
    const said = 'The soup idea from the restaurant in Bergen is a smart move.';
    expect(await drawnOf(['Ingrid', said], ['Oskar', 'ok'])).not.toEqual([]);
  });
});

describe('an opener is no part of what is stated', () => {
  test.each([
    ['Speaking of new things, I joined a rowing club in Bergen.', 'Ingrid joined a rowing club in Bergen'],
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
