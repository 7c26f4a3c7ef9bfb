// Portuguese words of change.
import { auxiliaries, type ToldWords, verbForms } from './forms.ts';

export const portugueseTold: ToldWords = {
  forms: verbForms(`
    moro mora moramos moram - live|vivo vive vivemos vivem - live|trabalho trabalha trabalhamos trabalham - work|sou é somos são - be|tenho tem temos têm - have
    mudei mudou mudamos mudaram mudado move|mudei-me mudou-se mudámo-nos/mudamo-nos/mudamos-nos mudaram-se - move|fui foi fomos foram ido go
    deixei deixou deixamos/deixámos deixaram deixado end|larguei largou largamos/largámos largaram largado end|saí saiu saímos saíram saído end|vendi vendeu vendemos venderam vendido end|perdi perdeu perdemos perderam perdido end|cancelei cancelou cancelamos cancelaram cancelado end|abandonei abandonou abandonamos abandonaram abandonado end
    parei parou paramos/parámos pararam parado stop|troquei trocou trocamos/trocámos trocaram trocado swap|morri morreu - morreram - die|faleci faleceu - faleceram - die
    abri abriu abrimos abriram aberto begin|comecei começou começamos/começámos começaram começado begin|comprei comprou compramos/comprámos compraram comprado begin|adotei adotou adotamos/adotámos adotaram adotado begin|virei virou - - - become
    jogo joga jogamos jogam - other|toco toca tocamos tocam - other|estudo estuda estudamos estudam - other|faço faz fazemos fazem - other|ando anda andamos andam - other|como come comemos comem - other|bebo bebe bebemos bebem - other|fumo fuma fumamos fumam - other|aprendo aprende aprendemos aprendem - other|ensino ensina ensinamos ensinam - other|pratico pratica praticamos praticam - other|tomo toma tomamos tomam - other|durmo dorme dormimos dormem - other|dirijo dirige dirigimos dirigem - other`),
  auxiliaries: auxiliaries('tenho tem temos têm'),
  weWords: /^(?:nós|gente)$/i,
  to: new Set(['para', 'pra', 'pro', 'a', 'ao', 'à', 'em', 'no', 'na', 'num', 'numa', 'com']),
  as: /\bcomo (?<job>\p{Ll}{4,})/u,
  noLonger: /(?<!\p{L})(?:não (?:.* )?mais|já não)(?!\p{L})/iu,
  unreal:
    /(?<!\p{L})(?:quero|quer|queria|queremos|queríamos|(?<!(?:n?a|n?uma|da|pela|minha) )\p{L}{3,}ria(?:m|mos)?|talvez|quase|vou|vai|vamos|vão|acho|penso|pensa|sonh\p{L}+|ainda não|nunca|tomara|quando|será|espero)(?!\p{L})/iu,
  now: /(?<!\p{L})(?:agora|atualmente|hoje em dia|em vez)(?!\p{L})/iu,
  adds: /(?<!\p{L})(?:também|além disso|outr[oa]s?|mais uma?|segund[oa])(?!\p{L})/iu,
  job: /^(?:emprego|trabalho|serviço|trampo)$/i,
  general: /^(?:ir|fazer|jogar|tocar|tomar|ser|ter|de|a)$/i,
  things: {
    trouble:
      /(?:está|estão|continua) (?:\S+ ){0,2}?(?:avariad[oa]s?|quebrad[oa]s?|estragad[oa]s?|fechad[oa]s?|fora de serviço|com defeito)(?!\p{L})/iu,
    mended:
      /(?:(?:já |voltou a |voltaram a )(?:funciona|funcionam|funcionar|abrir|está a funcionar)|(?:foi|foram|está|já está) (?:\S+ ){0,1}?(?:consertad[oa]s?|reparad[oa]s?|arranjad[oa]s?|reabert[oa]s?)|reabriu)(?!\p{L})/iu,
    amounts: /(?:(?:é|são) de|custam?|vale|fica em|são)(?: agora)?/iu,
    rises:
      /(?:sobe|subiu|desce|desceu|passa|passou|aumenta|aumentou|baixou|vai)(?: \S+){0,2}? (?:para|pra)/iu,
    shifted:
      /(?:foi|foram|fica) (?:adiad[oa]s?|antecipad[oa]s?|mudad[oa]s?|transferid[oa]s?|remarcad[oa]s?|passad[oa]s?) (?:para|pra)/iu,
    remains: /(?:só )?(?:resta|restam|sobram|sobrou|sobraram)(?: só| apenas)?/iu,
  },
};
