// Portuguese statements about oneself.
import { pairs, type SelfLanguage, verbTable } from './verbs.ts';

export const portuguese: SelfLanguage = {
  code: 'pt',
  user: 'O utilizador',
  pronouns: new Set(['eu']),
  needsPronoun: false,
  verbs: verbTable(`
    moro mora home|vivo vive home|resido reside home|chamo chama name|chamo-me chama-se name|trabalho trabalha employer|sou é|estou está|tenho tem|amo ama taste:|adoro adora taste:|odeio odeia taste:-|detesto detesta taste:-|gosto gosta taste:|prefiro prefere
    como come|bebo bebe|falo fala speaks:|aprendo aprende|estudo estuda study|jogo joga|toco toca|dirijo dirige|conduzo conduz|uso usa|tomo toma|preciso precisa|possuo possui
    comprei comprou|vendi vendeu|mudei mudou home|mudei-me mudou-se home|nasci nasceu|cresci cresceu|fui foi|viajei viajou|visitei visitou|comecei começou|deixei deixou|sofro sofre|corro corre|nado nada
    leio lê|escrevo escreve|fumo fuma|ensino ensina|ganho ganha|pago paga|viajo viaja|quero quer|faço faz|cozinho cozinha|coleciono coleciona|pratico pratica|suporto suporta taste:|vou vai|posso pode|adotei adotou|cultivo cultiva|durmo dorme|treino treina`),
  between: pairs('me=se não=não já=já também=também nunca=nunca agora=agora sempre=sempre'),
  own: /\b(?:meus?|minhas?|me|mim|comigo|noss[oa]s?|nós)\b/i,
  negations: /\b(?:não|nunca|jamais)\b/i,
  vague:
    /^(?:não |muito |tão |bem |já |também |de )*(?:cansad[oa]|feliz|contente|triste|cert[oa]|pront[oa]|grat[oa]|animad[oa]|orgulhos[oa]|bem|mal|aqui|aí|fome|sede|sono|medo|razão|tempo|ideia|saudades?|que|isso|isto|o que|vontade|ocupad[oa]|saber|ver|certeza|a certeza|de acordo|ti|você)(?!\p{L})/iu,
  before:
    /^(?:agora |atualmente |desde \S+ |há \S+ \S+ )*(?:em |no |na |nos |nas |numa |num |a |ao |à |para |de |do |da |dos |das |como |o |os |as |um |uma )*/i,
  being: [
    [/^(?:muito )?al[ée]rgic[oa] (?:a |ao |à |aos |às )(?<value>.+)/i, { slot: 'allergy', isEach: true }],
    [/^(?<value>\d{1,3}) anos/i, { slot: 'age' }],
    [/^(?<value>vegetarian[oa]|vegan[oa])\b/i, { slot: 'diet' }],
    [
      /^(?<value>\p{Ll}+(?:eir[oa]|or|ora|ista|ante|ente|eut[ae]|ic[oa]|gad[oa]|log[oa]|gra[fo]o|tet[oa]))(?: (?:de|em|no|na|numa|num) .+)?[.!]*$/u,
      { slot: 'job' },
    ],
  ],
  relatives:
    /^(?:(?:o|a|os|as) )?(?:meu|minha|meus|minhas|nosso|nossa) (?:\S+ ){1,3}?(?:mora|vive|chama-se|se chama|é|são|trabalha|tem|está|estuda|fala|joga|toca|nasceu|começa|termina)\s\S/i,
};
