// Portuguese statements about oneself.
import { portugueseTold } from './grammar/portuguese.ts';
import { pairs, type SelfLanguage, verbTable } from './grammar/verbs.ts';

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
      /^(?<value>\p{Ll}+(?:eir[oa]|or|ora|ista|ante|ente|eut[ae]|ic[oa]|[ct]ári[oa]|rinári[oa]|gad[oa]|log[oa]|gra[fo]o|tet[oa]))(?: (?:de|em|no|na|numa|num) .+)?[.!]*$/u,
      { slot: 'job' },
    ],
  ],
  we: /(?<!\p{L})(?:nós|temos|somos|\p{L}{2,}[aei]mos)(?!\p{L})/iu,
  address: /(?<!\p{L})(?:você|vocês|te|ti|tu|teus?|tuas?|contigo|vos)(?!\p{L})/iu,
  courtesy:
    /^(?:obrigad[oa]|muito obrigad[oa]|bo[am] |bons |parabéns|que |um abraço|até (?:logo|já|amanhã)|isso |tudo bem|beijos?)/i,
  request:
    /^(?:por favor,? |olha,? |e |então,? )*(?:(?:que|o que|quem|como|quando|onde|por ?qu[eê]|qual|quais|quant[oa]s?|há|tem como|podes?|poderias?|consegues?|consegue|sabes?|me (?:d[áê]|explica|explique|diz|diga|fala|ajuda|ajude|manda|mostra|passa))(?!\p{L})|(?:escrev[ea]|explica|explique|d[áê]|faz|faça|cria|crie|gera|gere|resum[ea]|traduz|traduza|encontra|procura|procure|calcul[ae]|compar[ae]|corrig[ea]|corrija|list[ae]|suger[ei]|sugira|prepar[ae]|analis[ae]|ajud[ae]|mostr[ae]|imagin[ae]|diz|diga)(?:-me|-nos)?(?!\p{L})|\p{L}+-me(?!\p{L})|(?:eu )?(?:acho|penso|creio|suponho|espero|imagino)(?!\p{L})|vamos ver|a gente se vê)/iu,
  article: /^(?:o|a|os|as|um|uma|meu|minha|dona|seu) /iu,
  told: portugueseTold,
  relatives:
    /^(?:(?:o|a|os|as) )?(?:meu|minha|meus|minhas|nosso|nossa) (?:\S+ ){1,3}?(?:mora|vive|chama-se|se chama|é|são|trabalha|tem|está|estuda|fala|joga|toca|nasceu|começa|termina)\s\S/i,
};
