// A sentence that is kept in the words of the speaker may be about somebody else: "Mein Bruder …", "La señora Gil …". The
// subject is given in English, as the grammar of finished statements reads it, so that it has the same key in each language.

import { termKey } from '../../english/grammar/terms.ts';

/** Grammar tells neither that the noun means a person nor which of two. An animal has a home and an age of its own as well. */
const NOUNS: Readonly<Record<string, string>> = {
  mother: 'mutter mama mami madre mamá mère maman mamma mãe mamãe',
  father: 'vater papa papi padre papá père babbo papà pai',
  parents: 'eltern padres parents genitori pais',
  sister: 'schwester hermana sœur soeur sorella irmã',
  brother: 'bruder hermano frère fratello irmão',
  siblings: 'geschwister hermanos fratelli irmãos',
  wife: 'frau ehefrau mujer esposa femme épouse moglie mulher',
  husband: 'mann ehemann marido esposo mari marito',
  partner:
    'partner partnerin lebensgefährte lebensgefährtin pareja compagnon compagne conjoint conjointe compagno compagna parceiro parceira',
  girlfriend: 'novia fidanzata namorada',
  boyfriend: 'novio fidanzato namorado',
  daughter: 'tochter hija fille figlia filha',
  son: 'sohn hijo fils figlio filho',
  child: 'kind niño niña enfant bambino bambina criança',
  children: 'kinder hijos niños enfants figli bambini filhos crianças',
  grandmother: 'oma großmutter abuela mémé mamie nonna avó vovó',
  grandfather: 'opa großvater abuelo pépé nonno avô vovô',
  grandparents: 'großeltern abuelos nonni avós',
  grandchild: 'enkel enkelin nieto nieta',
  grandson: 'neto',
  granddaughter: 'neta',
  aunt: 'tante tía zia tia',
  uncle: 'onkel tío oncle zio tio',
  cousin: 'cousin cousine vetter primo prima cugino cugina',
  niece: 'nichte sobrina nièce sobrinha',
  nephew: 'neffe sobrino neveu sobrinho',
  'mother-in-law': 'schwiegermutter suegra belle-mère suocera sogra',
  'father-in-law': 'schwiegervater suegro beau-père suocero sogro',
  'sister-in-law': 'schwägerin cuñada belle-sœur cognata cunhada',
  'brother-in-law': 'schwager cuñado beau-frère cognato cunhado',
  friend: 'freund freundin amigo amiga ami amie amico amica',
  neighbour: 'nachbar nachbarin vecino vecina voisin voisine vicino vicina vizinho vizinha',
  colleague: 'kollege kollegin colega collègue collega',
  boss: 'chef chefin jefe jefa chef cheffe patron patronne capo chefe patrão patroa',
  flatmate: 'mitbewohner mitbewohnerin coloc colocataire coinquilino coinquilina',
  teacher: 'lehrer lehrerin profesor profesora prof maestro maestra insegnante professor professora',
  doctor: 'arzt ärztin hausarzt hausärztin médico médica médecin docteur medico dottore dottoressa',
  dentist: 'zahnarzt zahnärztin dentista dentiste',
  landlord: 'vermieter vermieterin casero casera propriétaire padrone senhorio senhoria',
  dog: 'hund hündin perro perra chien chienne cane cagnolino cão cadela cachorro cachorra',
  cat: 'katze kater gato gata chat chatte gatto gatta',
  horse: 'pferd caballo cheval cavallo cavalo',
};
const ENGLISH: ReadonlyMap<string, string> = new Map(
  Object.entries(NOUNS).flatMap(([noun, words]) => words.split(' ').map((word) => [word, noun])),
);

/** "sister" for "hermana"; undefined where the word means nobody. */
export const nounOfTie = (word: string): string | undefined => ENGLISH.get(word.toLowerCase());

/** "user.sister". */
export const keyOfTie = (owner: string, noun: string): string => `${owner}.${termKey(noun)}`;

/** "user.sister lena": of two sisters, or of two Lenas, each is herself. */
export const keyOfNamed = (key: string, name: string | null): string =>
  name === null ? key : `${key} ${name.toLowerCase()}`;

/** "Mein", "la mia". */
export const OWN =
  /^(?:(?:il|la|i|le|o|a|os|as) )?(?:mein|meine|unsere?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos|mi[oa]|miei|mie|nostr[oaie]|meus?|minhas?|noss[oa]s?) /iu;
export const TITLE =
  /^(?:(?:el|la|le|il|lo|o|a|die|der) |l['’])?(?:herr|frau|señora?|don|doña|madame|mme|monsieur|signora?|dona|senhora?|dra?\.?|doctora?|docteur|dottor(?:essa|e)?|prof\.?|professora?|professorin|tante|onkel|tía|tío|oncle|zi[oa]|ti[oa]|oma|opa) (?=\p{Lu})/iu;
const NAME = /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?(?= \p{Ll})/u;
/** ", Pili, ". */
const NAMED = /^,? (?<name>\p{Lu}[\p{L}'’-]+)(?=$|[, ])/u;
const CALLED =
  /^ (?:hei(?:ß|ss)t|se llama|s['’]appelle|si chiama|se chama|chama-se) (?<name>\p{Lu}[\p{L}'’-]+)/u;
/** "Mein Bruder und ich", "Meine Schwester habe ich getroffen": the sentence is the speaker's own. */
const SPEAKER_TOO = /(?<!\p{L})(?:ich|yo|moi|je|j['’]|io|eu)(?!\p{L})/iu;
/** English has some of the titles too, and a grammar of its own. */
const ENGLISH_WORD = /\b(?:the|and|their|his|her|is|was|has|of|to|with|for|at|by)\b/;
const KEPT = /^(?<label>\p{Lu}[^:]{0,40}): (?<said>.+)$/su;
const LONGEST_PHRASE = 3;

export interface Somebody {
  /** "The user's sister Pili". */
  readonly subject: string;
  readonly key: string;
  /** The words about them. */
  readonly said: string;
  /** "Jim" where that is their name. */
  readonly called: string | null;
}

const owned = (owner: string, said: string): Somebody | null => {
  const own = OWN.exec(said)?.[0];
  if (own === undefined) return null;
  const words = [...said.slice(own.length).matchAll(/\p{L}[\p{L}'’-]*/gu)].slice(0, LONGEST_PHRASE);
  const noun = words.find(([word]) => ENGLISH.has(word.toLowerCase()));
  if (!noun) return null;
  const rest = said.slice(own.length + noun.index + noun[0].length);
  const tie = ENGLISH.get(noun[0].toLowerCase()) ?? '';
  const named = NAMED.exec(rest);
  const name = named?.groups?.name ?? null;
  return {
    subject: `${owner}'s ${tie}${name === null ? '' : ` ${name}`}`,
    key: keyOfNamed(keyOfTie(owner === 'The user' ? 'user' : owner.toLowerCase(), tie), name),
    said: rest.slice(named?.[0].length ?? 0).trim(),
    called: CALLED.exec(rest)?.groups?.name ?? null,
  };
};

const titled = (said: string): Somebody | null => {
  const title = TITLE.exec(said)?.[0] ?? null;
  const name = title === null ? null : (NAME.exec(said.slice(title.length))?.[0] ?? null);
  if (title === null || name === null || ENGLISH_WORD.test(said)) return null;
  return {
    subject: name,
    key: name.toLowerCase(),
    said: said.slice(title.length + name.length).trim(),
    called: null,
  };
};

/** The person that a kept sentence is about, where that is not the speaker; `owner`: the speaker behind the label, in English. */
export const somebodyIn = (memory: string, owner: (label: string) => string): Somebody | null => {
  const { label, said } = KEPT.exec(memory)?.groups ?? {};
  if (label === undefined || said === undefined || SPEAKER_TOO.test(said)) return null;
  return owned(owner(label), said) ?? titled(said);
};
