// Spanish statements about oneself.
import { spanishTold } from './grammar/spanish.ts';
import { pairs, type SelfLanguage, verbTable } from './grammar/verbs.ts';

export const spanish: SelfLanguage = {
  code: 'es',
  user: 'El usuario',
  pronouns: new Set(['yo']),
  needsPronoun: false,
  verbs: verbTable(`
    vivo vive home|resido reside home|llamo llama name|trabajo trabaja employer|soy es|estoy está|tengo tiene|odio odia taste:-|detesto detesta taste:-|amo ama taste:|adoro adora taste:|prefiero prefiere
    como come|bebo bebe|hablo habla speaks:|aprendo aprende|estudio estudia study|juego juega|toco toca|conduzco conduce|manejo maneja|uso usa|llevo lleva|tomo toma|necesito necesita
    compré compró|vendí vendió|mudé mudó home|nací nació|crecí creció|fui fue|viajé viajó|visité visitó|empecé empezó|dejé dejó|padezco padece|sufro sufre|corro corre|nado nada
    leo lee|escribo escribe|fumo fuma|enseño enseña|dirijo dirige|gano gana|pago paga|planeo planea|viajo viaja|quiero quiere|cumplo cumple|he ha|voy va|puedo puede|cocino cocina|colecciono colecciona|practico practica|cultivo cultiva|toqué tocó|adopté adoptó|casé casó|gusta gusta taste:|gustan gustan taste:|encanta encanta taste:|encantan encantan taste:`),
  between: pairs('me=se no=no ya=ya también=también nunca=nunca ahora=ahora siempre=siempre'),
  own: /\b(?:mi|mis|mío|mía|me|conmigo|nos|nuestr[oa]s?|nosotros)\b/i,
  negations: /\b(?:no|nunca|jamás)\b/i,
  vague:
    /^(?:no |muy |tan |bien |ya |también |un poco )*(?:cansad[oa]|feliz|content[oa]|triste|segur[oa]|list[oa]|agradecid[oa]|emocionad[oa]|orgullos[oa]|bien|mal|aquí|ahí|de acuerdo|ganas|hambre|sed|sueño|miedo|razón|tiempo|ni idea|idea|que|lo|la|eso|esto|ocupad[oa]|saber|ver|si)(?!\p{L})/iu,
  before: /^(?:ahora |actualmente |desde \S+ )*(?:en |a |al |de |para |como |con |el |la |los |las )*/i,
  being: [
    [
      /^(?:muy )?al[ée]rgic[oa] (?:a la |a los |a las |al |a )(?<value>.+)/i,
      { slot: 'allergy', isEach: true },
    ],
    [/^(?<value>\d{1,3}) años/i, { slot: 'age' }],
    [/^(?<value>vegetarian[oa]|vegan[oa])\b/i, { slot: 'diet' }],
    [
      /^(?<value>\p{Ll}+(?:er[oa]|or|ora|ist[ae]|ist[oa]|ante|ente|eut[ae]|ic[oa]|[ct]ari[oa]|rinari[oa]|gad[oa]|log[oa]|gra[fo]o|tect[oa]))(?: (?:de|en) .+)?[.!]*$/u,
      { slot: 'job' },
    ],
  ],
  we: /\b(?:nosotr[oa]s|hemos|somos|\p{L}{2,}[aei]mos)(?!\p{L})/iu,
  address: /(?<!\p{L})(?:tú|te|ti|tus?|contigo|usted(?:es)?|vos|vosotr[oa]s|os|vuestr[oa]s?)(?!\p{L})/iu,
  courtesy:
    /^(?:gracias|muchas gracias|buen[oa]s? |felicidades|enhorabuena|suerte|qué |que |un abrazo|saludos|ojalá|eso |vale|claro)/i,
  request:
    /^(?:por favor,? |oye,? |y |pues |bueno,? )*(?:¿|(?:qu[ée]|c[óo]mo|cu[áa]l(?:es)?|cu[áa]ndo|d[óo]nde|qui[ée]n|por qu[ée]|cu[áa]nt[oa]s?|hay|puedes?|podr[ií]as?|me (?:puedes?|podr[ií]as?|das?|dices?)|sabes?|es posible)(?!\p{L})|\p{L}{1,}[aeéíáiz]me(?:l[oa]s?)?(?!\p{L})|(?:escrib[ea]|explic[ae]|haz|haga|crea|genera|resum[ea]|traduc[ei]|busca|calcula|compara|corrige|enumera|sugiere|redacta|prepara|ordena|revisa|analiza|mejora|completa|imagina|piensa)(?!\p{L})|(?:yo )?(?:creo|pienso|opino|supongo|espero|imagino)(?!\p{L})|nos vemos|a ver|vamos a ver)/iu,
  article: /^(?:el|la|los|las|un|una|mi|mis|mamá|papá|don|doña) /iu,
  told: spanishTold,
  relatives:
    /^(?:mi|mis|nuestr[oa]) (?:\S+ ){1,3}?(?:vive|se llama|es|son|trabaja|tiene|está|estudia|habla|juega|toca|nació|cumple|empieza|termina)\s\S/i,
};
