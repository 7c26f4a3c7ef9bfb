// The people and animals of the speaker, and the names that sentences give to them.
import type { Alias } from '../../language.ts';
import { keyOfNamed, keyOfTie, nounOfTie, OWN } from './somebody.ts';

export interface Tie {
  /** "user.sister". */
  readonly key: string;
  readonly name: string;
}

const WORD = /\p{L}[\p{L}'’-]*/gu;
/** "Lena", ", Toby,", "heißt Max", "que se llama Toby". */
const NAME_BEHIND =
  /^(?:,|:| –)? ?(?:\p{Ll}+ (?=chama|llama|appel|chiama))?(?:(?:chamad[oa]|llamad[oa]|appelée?|chiamat[oa]) |(?:der|die|das|que|qui|che)? ?(?:hei(?:ß|ss)t|namens|se llama|s['’]appelle|si chiama|se chama|chama-se) )?(?<name>\p{Lu}\p{Ll}[\p{L}'’-]*)(?=$|[\s,.;!])/u;
/** Article before an animal or a child that somebody has: "einen Hund, Rex". */
const HAS =
  /(?<!\p{L})(?:habe|haben|tengo|tenemos|ai|avons|ho|abbiamo|tenho|temos|adoptiert|adopt\p{L}+|adottato)(?!\p{L})/iu;
const ARTICLE = /(?:^|\s)(?:eine?n?|una?|une|uno|uma?|o|a|la|il|le) (?:\p{Ll}+ )?$/iu;
const OWN_BEFORE = new RegExp(
  `${OWN.source.replace('^', '(?:^|[\\s,;:«"(]|[dl][\'’])')}(?:\\p{Ll}+ ){0,2}$`,
  'iu',
);
/** German writes nouns like names. */
const NO_NAME =
  /^(?:Geburtstag|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag|Deutsch|Englisch|Urlaub|Probleme?|Angst|Zeit|Und|Ich|Wir|Er|Sie|Es)$/u;

/** The named people and animals of the speaker in a sentence: "Moro em Curitiba com minha namorada Bia". */
export const tiesIn = (
  said: string,
  { owner, holder = owner }: { owner: string; holder?: string | undefined },
): Tie[] =>
  [...said.matchAll(WORD)].flatMap(({ 0: word, index }) => {
    const noun = nounOfTie(word);
    if (noun === undefined) return [];
    const before = said.slice(0, index);
    const isOwn = OWN_BEFORE.test(before);
    if (!isOwn && !(HAS.test(before) && ARTICLE.test(before))) return [];
    const { name } = NAME_BEHIND.exec(said.slice(index + word.length))?.groups ?? {};
    return name === undefined || NO_NAME.test(name)
      ? []
      : [{ key: keyOfTie(isOwn ? owner : holder, noun), name }];
  });

/** The user's sister Lena is Lena, where nobody else has the name, and the user's sister, where no other has a name. */
export const aliasesOfTies = (ties: readonly Tie[]): Alias[] =>
  ties.flatMap(({ key, name }): Alias[] => {
    const named = keyOfNamed(key, name);
    return [
      [named, name.toLowerCase()],
      [name.toLowerCase(), key],
    ];
  });
