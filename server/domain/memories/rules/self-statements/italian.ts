// Italian statements about oneself.
import { italianTold } from './grammar/italian.ts';
import { pairs, type SelfLanguage, verbTable } from './grammar/verbs.ts';

export const italian: SelfLanguage = {
  code: 'it',
  user: "L'utente",
  pronouns: new Set(['io']),
  needsPronoun: false,
  verbs: verbTable(`
    abito abita home|vivo vive home|risiedo risiede home|chiamo chiama name|lavoro lavora employer|sono è|ho ha|amo ama taste:|adoro adora taste:|odio odia taste:-|detesto detesta taste:-|preferisco preferisce
    mangio mangia|bevo beve|parlo parla speaks:|imparo impara|studio studia study|gioco gioca|suono suona|guido guida|uso usa|porto porta|prendo prende|possiedo possiede|vengo viene
    vado va|posso può|soffro soffre|corro corre|nuoto nuota|leggo legge|scrivo scrive|fumo fuma|insegno insegna|dirigo dirige|guadagno guadagna|pago paga|voglio vuole|viaggio viaggia
    faccio fa|cucino cucina|colleziono colleziona|pratico pratica|sopporto sopporta taste:|coltivo coltiva|nacqui nacque|piace piace taste:|piacciono piacciono taste:|dormo dorme|alleno allena`),
  between: pairs('mi=si non=non ora=ora adesso=adesso anche=anche sempre=sempre'),
  own: /\b(?:mio|mia|miei|mie|mi|me|ci|nostr[oaie]|noi)\b/i,
  negations: /\b(?:non|mai)\b/i,
  vague:
    /^(?:non |molto |così |tanto |proprio |davvero |anche )*(?:stanc[oa]|felice|content[oa]|triste|sicur[oa]|pront[oa]|grat[oa]|emozionat[oa]|orgoglios[oa]|qui|lì|d'accordo|bene|male|voglia|fame|sete|sonno|paura|ragione|tempo|idea|che|lo|la|questo|quello|bisogno|curios[oa]|capito|impegnat[oa])(?!\p{L})/iu,
  before:
    /^(?:ora |adesso |attualmente |da \S+ )*(?:a |ad |in |alla |al |allo |all'|nella |nel |presso |da |dal |per |come |il |la |lo |i |gli |le |l'|un |una )*/i,
  being: [
    [
      /^(?:molto )?allergic[oa] (?:alla |alle |agli |ai |allo |al |all'|a )(?<value>.+)/i,
      { slot: 'allergy', isEach: true },
    ],
    [/^(?<value>\d{1,3}) anni/i, { slot: 'age' }],
    [/^(?:trasferit[oa]) (?:a|in) (?<value>\p{Lu}.+)/u, { slot: 'home' }],
    [/^(?<value>vegetarian[oa]|vegan[oa])\b/i, { slot: 'diet' }],
    [
      /^(?:un |una |un'|uno )?(?<value>\p{Ll}+(?:ier[ea]|or|ore|trice|ista|ante|ente|aio|aia|ico|ica|cato|[ct]ari[oa]|rinari[oa]|logo|loga|tto|essa|gner[ea]))(?: (?:di|a|in|presso) .+)?[.!]*$/u,
      { slot: 'job' },
    ],
  ],
  we: /\b(?:noi|abbiamo|siamo|\p{L}{2,}iamo)(?!\p{L})/iu,
  address: /(?<!\p{L})(?:tu|te|ti|tuo|tua|tuoi|tue|voi|vi|vostr[oaie]|Lei)(?!\p{L})/u,
  courtesy:
    /^(?:grazie|bravo|buon[ae]? |auguri|complimenti|che |quanto |beh|mah|va bene|un abbraccio|a (?:presto|dopo|domani))/i,
  request:
    /^(?:per favore,? |per piacere,? |e |allora,? |senti,? )*(?:(?:che|chi|cosa|come|quando|dove|perch[ée]|qual[ei]?|quant[oaie]|puoi|potresti|mi (?:puoi|potresti|spieghi|dai|dici|fai|aiuti)|sai|c'è|ci sono|esiste)(?!\p{L})|\p{L}{2,}(?:ami|imi|mmi|emi|ammelo)(?!\p{L})|(?:scrivi|spiega|fai|fa'|crea|genera|riassumi|traduci|trova|cerca|calcola|confronta|correggi|elenca|suggerisci|prepara|controlla|immagina|pensa|dai)(?!\p{L})|(?:io )?(?:credo|penso|suppongo|spero|immagino)(?!\p{L})|secondo me|ci (?:vediamo|sentiamo)|non ci posso)/iu,
  article: /^(?:(?:il|lo|la|i|gli|le|un|una|uno|mamma|papà|nonn[oa]) |(?:l|un)['’])/iu,
  told: italianTold,
  relatives:
    /^(?:il |la |i |le )?(?:mio|mia|miei|mie|nostr[oa]) (?:\S+ ){1,3}?(?:vive|abita|si chiama|è|sono|lavora|ha|studia|parla|gioca|suona|inizia|comincia)\s\S/i,
};
