// French statements about oneself.
import { frenchTold } from './grammar/french.ts';
import { pairs, type SelfLanguage, verbTable } from './grammar/verbs.ts';

export const french: SelfLanguage = {
  code: 'fr',
  user: "L'utilisateur",
  pronouns: new Set(['je', "j'"]),
  needsPronoun: true,
  verbs: verbTable(`
    habite habite home|vis vit home|réside réside home|appelle appelle name|travaille travaille employer|suis est|ai a|aime aime taste:|adore adore taste:|déteste déteste taste:-|préfère préfère
    mange mange|bois boit|parle parle speaks:|apprends apprend|étudie étudie study|joue joue|conduis conduit|utilise utilise|porte porte|prends prend|possède possède|viens vient
    déménage déménage|vais va|peux peut|souffre souffre|cours court|nage nage|lis lit|écris écrit|fume fume|enseigne enseigne|dirige dirige|gagne gagne|paie paie|paye paye
    veux veut|voyage voyage|fais fait|cuisine cuisine|collectionne collectionne|pratique pratique|supporte supporte taste:|étais était|avais avait|cultive cultive|élève élève|loue loue|dors dort`),
  between: pairs("me=se m'=s' ne=ne n'=n' y=y"),
  own: /\b(?:mon|ma|mes|moi|me|nous|notre|nos)\b|\bm'/i,
  negations: /\b(?:ne|pas|jamais|plus|n')\b/i,
  vague:
    /^(?:pas |très |si |trop |vraiment |bien |aussi |tellement )*(?:fatiguée?|contente?|heureu(?:x|se)|triste|sûre?|prête?|ravie?|désolée?|fière?|d'accord|ici|là|bien|curieu(?:x|se)|envie|faim|soif|peur|raison|hâte|besoin|le temps|ça|cela|ce|que|te|vous|en train|occupée?)(?!\p{L})/iu,
  before:
    /^(?:maintenant |actuellement |depuis \S+ |désormais )*(?:à la |à l'|à |au |aux |en |dans |chez |de |pour |comme |le |la |les |l'|du |des |une |un )*/i,
  being: [
    [/^(?:très )?allergique (?:à la |à l'|aux |au |à )(?<value>.+)/i, { slot: 'allergy', isEach: true }],
    [/^(?<value>\d{1,3}) ans/i, { slot: 'age' }],
    [/^déménagé (?:à|au|en|aux) (?<value>\p{Lu}.+)/u, { slot: 'home' }],
    [/^(?<value>végétarien(?:ne)?|végane?|vegan)\b/i, { slot: 'diet' }],
    [
      /^(?<value>\p{Ll}+(?:eur|euse|trice|ier|ière|[gch]er|[gch]ère|iste|ien|ienne|at|ate|ecte|ant|ante|ecin|logue|aire|fe))(?: (?:de|en|à|dans|chez) .+)?[.!]*$/u,
      { slot: 'job' },
    ],
  ],
  we: /\b(?:nous|on)\b/i,
  address: /(?<!\p{L})(?:tu|te|toi|tes|ton|ta|vous|votre|vos)(?!\p{L})|(?<!\p{L})t['’]/iu,
  courtesy:
    /^(?:merci|bravo|bon(?:ne)?s? |félicitations|quel(?:le)?s? |que |c'est (?:super|génial|bien|vrai)|ça |ok |d'accord|bises|à (?:bientôt|plus|demain))/i,
  request:
    /^(?:s'il te plaît,? |stp,? |et |alors,? |bon,? )*(?:(?:que|qu'|qui|quoi|comment|pourquoi|quand|où|quel(?:le)?s?|combien|est-ce|y a-t-il|existe-t-il)(?![\p{L}])|(?:\p{L}+-(?:moi|nous|tu|vous|il|elle|on|ils|ce|y))(?!\p{L})|(?:écris|explique|fais|résume|traduis|rédige|propose|trouve|liste|crée|corrige|compare|calcule|dis|donne|cherche|prépare|imagine|analyse|vérifie|classe|peux|pourrais|sais)(?!\p{L})|(?:moi )?(?:je (?:pense|crois|trouve|suppose|espère|me demande)|à mon avis)(?!\p{L})|on se (?:voit|rappelle|retrouve))/iu,
  article: /^(?:(?:le|la|les|un|une|des|mon|ma|mes|maman|papa) |l['’])/iu,
  told: frenchTold,
  relatives:
    /^(?:mon|ma|mes|notre) (?:\S+ ){1,3}?(?:habite|vit|s'appelle|est|sont|travaille|a|étudie|parle|joue|commence|finit)\s\S/i,
};
