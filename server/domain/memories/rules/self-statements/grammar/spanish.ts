// Spanish words of change.
import { auxiliaries, type ToldWords, verbForms } from './forms.ts';

export const spanishTold: ToldWords = {
  forms: verbForms(`
    vivo vive vivimos viven - live|resido reside residimos residen - live|trabajo trabaja trabajamos trabajan - work|soy es somos son - be|tengo tiene tenemos tienen - have
    mudé mudó mudamos mudaron mudado move|trasladé trasladó trasladamos trasladaron trasladado move|fui fue fuimos fueron ido go
    dejé dejó dejamos dejaron dejado end|vendí vendió vendimos vendieron vendido end|abandoné abandonó abandonamos abandonaron abandonado end|perdí perdió perdimos perdieron perdido end|cancelé canceló cancelamos cancelaron cancelado end
    renuncié renunció renunciamos renunciaron renunciado end|cambié cambió cambiamos cambiaron cambiado change|murió murió - murieron muerto die|falleció falleció - fallecieron fallecido die
    abrí abrió abrimos abrieron abierto begin|empecé empezó empezamos empezaron empezado begin|compré compró compramos compraron comprado begin|adopté adoptó adoptamos adoptaron adoptado begin
    juego juega jugamos juegan - other|estudio estudia estudiamos estudian - other|toco toca tocamos tocan - other|hago hace hacemos hacen - other|voy va vamos van - other|como come comemos comen - other|bebo bebe bebemos beben - other|tomo toma tomamos toman - other|fumo fuma fumamos fuman - other|aprendo aprende aprendemos aprenden - other|enseño enseña enseñamos enseñan - other|practico practica practicamos practican - other|monto monta montamos montan - other|duermo duerme dormimos duermen - other`),
  auxiliaries: auxiliaries('he ha hemos han'),
  weWords: /^nosotr[oa]s$/i,
  to: new Set(['a', 'al', 'para', 'con', 'en']),
  as: /\b(?:como|de) (?<job>\p{Ll}{4,})/u,
  noLonger: /(?<!\p{L})(?:ya no|no (?:.* )?más)(?!\p{L})/iu,
  unreal:
    /(?<!\p{L})(?:quiero|quier\p{L}+|queremos|quisiera\p{L}*|(?<!(?:la|una|de|del|su|mi) )\p{L}+ría[ns]?|ojalá|quizás?|tal vez|igual|casi|a punto|(?:voy|va|vamos|van) a \p{L}+[aei]r(?:\p{L}{2,3})?|pienso|piensa|plane\p{L}+|sueñ\p{L}+|si|cuando|todavía no|aún no|nunca|creo|dicen)(?!\p{L})/iu,
  now: /(?<!\p{L})(?:ahora|actualmente|en su lugar|ahora mismo|en vez)(?!\p{L})/iu,
  adds: /(?<!\p{L})(?:también|además|otr[oa]s?|segund[oa]|aparte)(?!\p{L})/iu,
  job: /^(?:trabajo|empleo|curro|puesto|chamba|laburo)$/i,
  general: /^(?:ir|hacer|jugar|tocar|tomar|tener|ser|de|al?)$/i,
  things: {
    trouble:
      /(?:está|están|se ha|sigue) (?:\S+ ){0,2}?(?:averiad[oa]s?|rot[oa]s?|estropead[oa]s?|cerrad[oa]s?|fuera de servicio|sin funcionar)(?!\p{L})/iu,
    mended:
      /(?:(?:ya |vuelve a |vuelven a |volvió a )(?:funciona[rn]?|abrir|va|andar?)|ha vuelto a (?:abrir|funcionar)|(?:ya )?(?:está|están|fue|ha sido|quedó) (?:\S+ ){0,2}?(?:arreglad[oa]s?|reparad[oa]s?|abiert[oa]s?))(?!\p{L})/iu,
    amounts: /(?:(?:es|son) de|cuestan?|vale|asciende a|está en|son)(?: ahora)?/iu,
    rises:
      /(?:ha )?(?:sube|subió|baja|bajó|pasa|pasó|aumenta|aumentó|subirá|subido|bajado|pasado)(?: \S+){0,2}? a/iu,
    shifted:
      /(?:se (?:ha )?(?:traslada|trasladó|trasladado|aplazó|aplaza|aplazado|cambia|cambió|cambiado|pasa|pasó|adelantó|movió)|(?:fue|ha sido) (?:aplazad[oa]|trasladad[oa]|cambiad[oa]|movid[oa])|pasa) (?:a|al|para)/iu,
    remains: /(?:solo |sólo )?(?:queda|quedan)(?: solo| sólo)?/iu,
  },
};
