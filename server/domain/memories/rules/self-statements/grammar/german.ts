// German words of change.
import { auxiliaries, type ToldWords, verbForms } from './forms.ts';

export const germanTold: ToldWords = {
  forms: verbForms(`
    wohne wohnt wohnen wohnen - live|lebe lebt leben leben - live|arbeite arbeitet arbeiten arbeiten - work|bin ist sind sind - be
    zog zog zogen zogen gezogen/umgezogen/hingezogen/übergesiedelt move|wurde wurde wurden wurden geworden become|habe hat haben haben - have
    kündigte kündigte kündigten kündigten gekündigt end|verkaufte verkaufte verkauften verkauften verkauft end|verließ verließ verließen verließen verlassen end
    verlor verlor verloren verloren verloren end|- - - - aufgegeben/abgegeben/abgeschafft/abgemeldet/geschmissen/hingeschmissen/verschrottet/weggegeben/abbestellt end
    - - - - aufgehört stop|wechselte wechselte wechselten wechselten gewechselt change|- - - - angefangen/begonnen/eröffnet/gegründet/adoptiert begin|starb starb starben starben gestorben die
    spiele spielt spielen spielen - other|mache macht machen machen - other|lerne lernt lernen lernen - other|besuche besucht besuchen besuchen - other|studiere studiert studieren studieren - other
    trinke trinkt trinken trinken - other|esse isst essen essen - other|fahre fährt fahren fahren - other|gehe geht gehen gehen - other|schläft schläft schlafen schlafen - other|rauche raucht rauchen rauchen - other|unterrichte unterrichtet unterrichten unterrichten - other|leite leitet leiten leiten - other`),
  auxiliaries: auxiliaries('habe hat haben haben | hab hat haben haben | bin ist sind sind'),
  weWords: /^wir$/i,
  to: new Set(['nach', 'in', 'ins', 'zu', 'zur', 'zum', 'aufs']),
  as: /\bals (?<job>\p{Lu}\p{L}+)/u,
  noLonger: /\b(?:nicht|kein\p{L}*) (?:.* )?mehr(?!\p{L})/iu,
  unreal:
    /(?<!\p{L})(?:möchte\p{L}*|würde\p{L}*|will|wollen|wollte\p{L}*|soll\p{L}*|könnte\p{L}*|vielleicht|wahrscheinlich|eventuell|fast|beinahe|hätte\p{L}*|wäre\p{L}*|träum\p{L}*|überleg\p{L}*|plan\p{L}*|falls|wenn|ob|noch nicht|nie|wird|werde|werden|am liebsten|angeblich)(?!\p{L})/iu,
  now: /(?<!\p{L})(?:jetzt|nun|inzwischen|mittlerweile|neuerdings|stattdessen)(?!\p{L})/iu,
  adds: /(?<!\p{L})(?:auch|außerdem|zusätzlich|ebenfalls|nebenbei|dazu|noch ein\p{L}*|zweite\p{L}*|weitere\p{L}*)(?!\p{L})/iu,
  job: /^(?:job|arbeit|stelle|arbeitsplatz|arbeitsstelle)$/i,
  general: /^(?:gehen|machen|spielen|zu|haben|sein|fahren)$/i,
  things: {
    trouble:
      /(?:ist|sind|war) (?:seit \S+ |leider |schon wieder |gerade )*(?:kaputt|defekt|außer betrieb|ausgefallen|gesperrt|undicht|geschlossen)(?!\p{L})/iu,
    mended:
      /(?:(?:läuft|laufen|funktioniert|funktionieren|geht|gehen|fährt) (?:\S+ ){0,3}?wieder|(?:ist|sind|wurde|wurden) (?:\S+ ){0,3}?(?:repariert|wieder (?:in betrieb|ganz|heil|in ordnung|offen|geöffnet)|behoben))(?!\p{L})/iu,
    amounts: /(?:beträgt|betragen|kostet|kosten|ist|sind|liegt bei|liegen bei)(?: jetzt| nun| ab \S+)?/iu,
    rises:
      /(?:steigt|steigen|sinkt|sinken|stieg|sank|erhöht sich|wächst)(?: \S+){0,3}? auf|(?:ist|sind) auf/iu,
    shifted:
      /(?:wurde|wird|ist|wurden|sind) (?:auf|von) (?:.+ )?(?:verlegt|verschoben|vorverlegt|vorgezogen|umgelegt)/iu,
    remains: /(?:es )?(?:bleiben|bleibt|sind|liegen|gibt es)(?: \S+)? (?:nur noch|noch)/iu,
  },
};
