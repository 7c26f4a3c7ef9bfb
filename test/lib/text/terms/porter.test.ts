// Tests of the English stemmer.
import { describe, expect, it } from 'vitest';
import { porter } from '../../../../server/lib/text/terms/porter.ts';

/** The examples of Porter's paper, run through all steps, and a few of his sample vocabulary. */
const KNOWN = `
caresses caress | ponies poni | ties ti | caress caress | cats cat | feed feed | agreed agre | plastered plaster
bled bled | motoring motor | sing sing | conflated conflat | troubled troubl | sized size | hopping hop | tanned tan
falling fall | hissing hiss | fizzed fizz | failing fail | filing file | happy happi | sky sky | relational relat
conditional condit | rational ration | valenci valenc | hesitanci hesit | digitizer digit | conformabli conform
radicalli radic | differentli differ | vileli vile | analogousli analog | vietnamization vietnam
predication predic | operator oper | feudalism feudal | decisiveness decis | hopefulness hope | callousness callous
formaliti formal | sensitiviti sensit | sensibiliti sensibl | triplicate triplic | formative form | formalize formal
electriciti electr | electrical electr | hopeful hope | goodness good | revival reviv | allowance allow
inference infer | airliner airlin | gyroscopic gyroscop | adjustable adjust | defensible defens | irritant irrit
replacement replac | adjustment adjust | dependent depend | adoption adopt | homologou homolog | communism commun
activate activ | angulariti angular | homologous homolog | effective effect | bowdlerize bowdler | probate probat
rate rate | cease ceas | controll control | roll roll | generalizations gener | oscillators oscil | archaeology archaeolog
`
  .trim()
  .split(/\s*[|\n]\s*/)
  .map((pair) => pair.split(' ') as [string, string]);

describe('the English stemmer', () => {
  it.each(KNOWN)('reduces %s to %s', (word, stem) => {
    expect(porter(word)).toBe(stem);
  });

  it('gives the forms of a word one stem', () => {
    expect(
      new Set(['connect', 'connected', 'connecting', 'connection', 'connections'].map(porter)).size,
    ).toBe(1);
  });

  it('leaves words of one or two letters alone', () => {
    expect(['is', 'as', 'y', ''].map(porter)).toEqual(['is', 'as', 'y', '']);
  });
});
