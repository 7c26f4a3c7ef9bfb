// Decides if a capitalised word may be the name of a person.
import { withoutOwner, wordSet } from './words.ts';

/** Capitalised words that are not people. */
const NOBODY = wordSet(`
  i the a an my our his her their its this that these those it he she they we you yes no ok okay hi hello hey thanks thank
  well so but and or if when while since as at in on by for from with to of not just also then there here now what who
  where why how which whose monday tuesday wednesday thursday friday saturday sunday january february march april may june
  july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec christmas easter
  halloween thanksgiving english german french spanish italian chinese japanese korean russian portuguese dutch polish
  user assistant god internet please remember note today tomorrow yesterday tonight last next every each some any all most
  many after before during until oh wow great good nice haha lol sorry sure maybe perhaps actually honestly let's
  unfortunately luckily recently currently because although though however meanwhile additionally moreover finally
  unlike like despite regarding about over under between without within per via plus both either neither another other
  one two three four five six seven eight nine ten first second third new old see click contact read more learn get go
  could would should can must do does did is are was were have has had am mr mrs ms dr prof sir madam`);

export const isNameWord = (word: string): boolean =>
  /^\p{Lu}[\p{L}'’.-]*$/u.test(word) &&
  !/^\p{Lu}{2,}$/u.test(word) &&
  !NOBODY.has(withoutOwner(word.toLowerCase()));

/** Given names that are also common words, or that the model of English knows as one: no grammar tells "Rose" from "Dinner". */
export const NAMES_AND_WORDS = wordSet(`
  amber angel anna ash ben beth bill billy bob bobby brad carlos carol caroline catherine chad christian chuck clay cole crystal curt
  cynthia daisy dale dana dawn dean deb dick don donna drew duke earl elizabeth eve faith fay florence frank gale gene
  glen grace grant guy hakim hank harry hazel heather hector hope ida iris ivy jack jade jan jasmine jean jerry jimmy jo johnny
  jordan josh joy ken kit lance laurel lea lee lily lotte lucia mack malik marc marina mark mason matt max meg mike miles milo
  mina mo molly nick noel nora norm norman olive oscar pat patsy peg penny poppy prince randy ray rex rich rick rob robin rod
  roman rose rosemary ruby sally sam sol sonny sterling sue ted theresa toby tom tony tucker victor viola violet virginia
  wade wally walt will willow willy`);

/** Words before a place or a time, not a person. */
export const PLACE_PREPOSITIONS = wordSet(
  'in at near from to into through across around outside inside toward towards on of',
);

/** Words before a company or a work of art, not a person. */
export const isOrganisation = (name: string): boolean =>
  /\b(?:Inc|Ltd|LLC|GmbH|AG|Corp|Corporation|Company|Co|Group|University|College|School|Hospital|Bank|Institute|Foundation|Museum|Ministry|Department|Committee|Association|Union|Club|Party|Port|City|River|Lake|Street|Freight|Labs?|Systems|Technologies|Software|Project|Team)\b/.test(
    name,
  );

const NATIONALITY = /^[A-Z][a-z]+(?:ian|ean|ish|ese|can|ani|aeli|aqi|wan|van|ian|gan|ban|man|lian)$/;
const NATIONALITIES = wordSet(
  'french german dutch greek swiss czech thai welsh scottish irish english british american mexican turkish arab jewish muslim christian buddhist hindu catholic atheist protestant',
);
export const isNationality = (word: string): boolean =>
  NATIONALITY.test(word) || NATIONALITIES.has(word.toLowerCase());
