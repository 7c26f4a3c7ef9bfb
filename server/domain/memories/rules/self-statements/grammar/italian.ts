// Italian words of change.
import { auxiliaries, type ToldWords, verbForms } from './forms.ts';

export const italianTold: ToldWords = {
  forms: verbForms(`
    abito abita abitiamo abitano - live|vivo vive viviamo vivono - live|lavoro lavora lavoriamo lavorano - work|sono è siamo sono - be|ho ha abbiamo hanno - have
    - - - - trasferito/trasferita/trasferiti/trasferite/traslocato move|- - - - andato/andata/andati/andate go|- - - - diventato/diventata/diventati become
    - - - - lasciato/venduto/abbandonato/perso/disdetto/mollato end|- - - - smesso stop|- - - - cambiato change|- - - - sostituito swap|- - - - aperto/cominciato/iniziato/comprato/adottato/preso begin|morì morì - morirono morto/morta/morti die
    gioco gioca giochiamo giocano - other|suono suona suoniamo suonano - other|studio studia studiamo studiano - other|faccio fa facciamo fanno - other|vado va andiamo vanno - other|mangio mangia mangiamo mangiano - other|bevo beve beviamo bevono - other|fumo fuma fumiamo fumano - other|imparo impara impariamo imparano - other|insegno insegna insegniamo insegnano - other|guido guida guidiamo guidano - other|pratico pratica pratichiamo praticano - other|dormo dorme dormiamo dormono - other|prendo prende prendiamo prendono - other`),
  auxiliaries: auxiliaries('ho ha abbiamo hanno | sono è siamo sono'),
  weWords: /^noi$/i,
  to: new Set(['a', 'ad', 'in', 'al', 'alla', 'nel', 'nella', 'da', 'dal', 'dai', 'con']),
  as: /\bcome (?<job>\p{Ll}{4,})/u,
  noLonger: /(?<!\p{L})non (?:.* )?più(?!\p{L})/iu,
  unreal:
    /(?<!\p{L})(?:vorre\p{L}+|voglio|vuole|vogliamo|piacerebbe|forse|quasi|magari|potre\p{L}+|dovre\p{L}+|sogn\p{L}+|penso|pensa|pensiamo|stav\p{L}+|sta per|sto per|se|non ancora|ancora non|mai|\p{L}{2,}(?:erà|irà|arà|erò|irò|eremo|iremo)|spero|credo)(?!\p{L})/iu,
  now: /(?<!\p{L})(?:ora|adesso|ormai|attualmente|invece|al suo posto)(?!\p{L})/iu,
  adds: /(?<!\p{L})(?:anche|inoltre|un altr\p{L}+|un['’] ?altra|second[oa]|pure)(?!\p{L})/iu,
  job: /^(?:lavoro|impiego|posto)$/i,
  general: /^(?:andare|fare|giocare|suonare|prendere|essere|avere|di|a)$/i,
  things: {
    trouble:
      /(?:è|sono|resta) (?:\S+ ){0,2}?(?:rott[oaie]|guast[oaie]|fuori servizio|chius[oaie]|in panne)(?!\p{L})/iu,
    mended:
      /(?:(?:funziona|funzionano|va|vanno) (?:di nuovo|da stamattina|nuovamente)|(?:ha|hanno) (?:riaperto|ripreso a funzionare)|(?:è|sono) (?:stat[oaie] )?(?:\S+ ){0,1}?(?:riparat[oaie]|aggiustat[oaie]|riapert[oaie]|sistemat[oaie]))(?!\p{L})/iu,
    amounts: /(?:(?:è|sono) di|costa|costano|ammonta a|sono)(?: ora| adesso)?/iu,
    rises:
      /(?:è |sono )?(?:sale|salgono|salit[oaie]|passa|passat[oaie]|aumenta|aumentat[oaie]|scende|scende|sces[oaie]|diventano|diventat[oaie])(?: \S+){0,2}?(?: a)?/iu,
    shifted:
      /(?:è|sono) (?:stat[oaie] )?(?:spostat[oaie]|rinviat[oaie]|anticipat[oaie]|rimandat[oaie]) (?:al|alle|alla|a)/iu,
    remains: /(?:ne )?(?:resta|restano|rimangono|rimane)(?: solo)?/iu,
  },
};
