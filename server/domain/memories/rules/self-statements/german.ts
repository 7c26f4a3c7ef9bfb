// German statements about oneself.
import { germanTold } from './grammar/german.ts';
import { pairs, type SelfLanguage, verbTable } from './grammar/verbs.ts';

export const german: SelfLanguage = {
  code: 'de',
  user: 'Der Nutzer',
  pronouns: new Set(['ich']),
  needsPronoun: true,
  verbs: verbTable(`
    wohne wohnt home|lebe lebt home|heiße heißt name|heisse heißt name|arbeite arbeitet employer|bin ist|habe hat|mag mag taste:|liebe liebt taste:|hasse hasst taste:-
    esse isst|trinke trinkt|spreche spricht speaks:|lerne lernt|studiere studiert study|spiele spielt|fahre fährt|besitze besitzt|trage trägt|nehme nimmt|brauche braucht
    bevorzuge bevorzugt|kaufe kauft|verkaufe verkauft|komme kommt|war war|hatte hatte|kann kann|vertrage verträgt|leide leidet|laufe läuft|jogge joggt|schwimme schwimmt|lese liest
    schreibe schreibt|rauche raucht|unterrichte unterrichtet|leite leitet|verdiene verdient|zahle zahlt|plane plant|besuche besucht|reise reist|fliege fliegt|ziehe zieht|kündige kündigt
    treffe trifft|gehe geht|nutze nutzt|benutze benutzt|verwende verwendet|sammle sammelt|koche kocht|sitze sitzt|mache macht|werde wird|wurde wurde|will will|möchte möchte|muss muss|trainiere trainiert|züchte züchtet`),
  between: pairs('mich=sich mir=sich'),
  own: /\b(?:mein\w*|mich|mir|uns\w*|wir)\b/i,
  negations: /\b(?:nicht|kein\w*|nie|niemals|nicht mehr)\b/i,
  vague:
    /^(?:nicht |so |sehr |total |echt |gerade |auch |ganz |schon |mir )*(?:müde|froh|glücklich|traurig|sicher|bereit|dankbar|gespannt|begeistert|stolz|okay|ok|da|dabei|dafür|zurück|gut|schlecht|fertig|einverstanden|neugierig|keine (?:ahnung|lust|zeit|idee)|lust|zeit|angst|hunger|durst|recht|glück|pech|spaß|das|es|dich|euch|gern|gerne|mal|was|etwas|nichts|dir|ihnen)(?!\p{L})/iu,
  before:
    /^(?:jetzt |nun |seit \S+ |derzeit |aktuell )*(?:in der |im |in |bei der |beim |bei |für |an der |am |nach |auf |als )?/i,
  being: [
    [/^(?:hoch|stark|schwer)?\s?allergisch gegen (?<value>.+)/i, { slot: 'allergy', isEach: true }],
    [/^(?<value>\d{1,3})(?: Jahre alt)?[.!]*$/, { slot: 'age' }],
    [/^(?:\S+ )*nach (?<value>\p{Lu}\S*)(?: \S+)* (?:gezogen|umgezogen)/u, { slot: 'home' }],
    [/^(?:jetzt )?(?<value>vegetarier(?:in)?|veganer(?:in)?|vegan|vegetarisch)\b/i, { slot: 'diet' }],
    [
      /^(?:jetzt |von beruf )?(?<value>\p{Lu}\p{Ll}+(?:er|in|arzt|frau|mann|ist|eur|or|ent|wirt|pfleger|leiter))[.!]*$/u,
      { slot: 'job' },
    ],
  ],
  we: /\bwir\b/i,
  address:
    /\b(?:du|dich|dir|dein\p{L}*|euch|eure?\p{L}*|Ihnen)(?!\p{L})|(?<=\p{Ll} )(?:Sie|Ihre?[nmrs]?)(?!\p{L})/u,
  courtesy:
    /^(?:danke|vielen dank|bitte|gute[nrsm]? |viel |herzlich|alles |liebe grüße|lieben gruß|schöne[nrs]? |na |hm+ |klingt|stimmt|das (?:ist|war|klingt|freut|tut))/i,
  request:
    /^(?:bitte |mal |hey,? |also |und |ja,? )*(?:w(?:as|er|en|em|ie|o|ann|arum|ieso|elche[rsnm]?|omit|ohin|oher|ofür|ozu)(?!\p{L})|(?:kann|könnte|könnt|hat|habe|haben|ist|sind|gibt|wird|wäre|soll|sollte|muss|darf|lohnt|macht|geht|kennt|weiß)(?:st|t|n|en)? |(?:schreibe?|erkläre?|gib|zeige?|mache?|nenne?|sage?|übersetze?|suche?|finde?|hilf|erstelle?|fasse?|lies|vergleiche?|berechne|liste|entwirf|formuliere?|korrigiere?|prüfe?|stelle?|such|denk|schau|nimm|lass|bau|verfasse?|empfiehl|plane?|schicke?) |ich (?:glaube?|denke?|finde?|meine?|hoffe?|vermute?|frage?)(?!\p{L})|meiner meinung|vielleicht )/iu,
  article: /^(?:d(?:er|ie|as)|eine?|herr|frau|mama|papa|oma|opa) /iu,
  told: germanTold,
  relatives:
    /^(?:mein|meine|unser|unsere) (?:\S+ ){1,3}?(?:wohnt|lebt|heißt|ist|arbeitet|hat|mag|spielt|studiert|spricht|isst|kommt|geht|beginnt|liegt|steht|lautet|endet)\s\S/i,
};
