// French words of change.
import { auxiliaries, type ToldWords, verbForms } from './forms.ts';

export const frenchTold: ToldWords = {
  forms: verbForms(`
    habite habite habitons habitent - live|vis vit vivons vivent - live|travaille travaille travaillons travaillent - work|suis est sommes sont - be|ai a avons ont - have
    - - - - déménagé/emménagé/installé/installée/installés move|- - - - parti/partie/partis/allé/allée go|- - - - devenu/devenue become|- - - - quitté/vendu/abandonné/perdu/résilié/lâché/laissé/démissionné/rendu end
    - - - - arrêté/cessé stop|- - - - changé change|- - - - troqué/remplacé swap|- - - - ouvert/commencé/acheté/adopté/débuté/repris begin|- - - - mort/morte/décédé/décédée die
    joue joue jouons jouent - other|apprends apprend apprenons apprennent - other|étudie étudie étudions étudient - other|fais fait faisons font - other|mange mange mangeons mangent - other|bois boit buvons boivent - other|fume fume fumons fument - other|prends prend prenons prennent - other|conduis conduit conduisons conduisent - other|roule roule roulons roulent - other|dors dort dormons dorment - other|enseigne enseigne enseignons enseignent - other`),
  auxiliaries: auxiliaries('ai a avons ont | suis est sommes sont'),
  weWords: /^(?:nous|on)$/i,
  to: new Set(['à', 'au', 'aux', 'en', 'dans', 'chez']),
  as: /\bcomme (?<job>\p{Ll}{4,})/u,
  noLonger: /(?<!\p{L})(?:ne|n['’]) ?(?:.* )?plus(?!\p{L})/iu,
  unreal:
    /(?<!\p{L})(?:veu[xt]|veulent|voul\p{L}+|\p{L}{3,}(?:rais|rait|rions|raient)|rêv\p{L}+|peut-être|presque|failli|vais|va|vont|allons|compte|envisag\p{L}+|si|pas encore|jamais|pense|espèr\p{L}+)(?!\p{L})/iu,
  now: /(?<!\p{L})(?:maintenant|désormais|dorénavant|actuellement|à présent|à la place)(?!\p{L})/iu,
  adds: /(?<!\p{L})(?:aussi|également|en plus|autres?|deuxième|seconde?|encore une?)(?!\p{L})/iu,
  job: /^(?:travail|boulot|poste|emploi|job|taf)$/i,
  general: /^(?:aller|faire|jouer|prendre|être|avoir|de|d|tomber)$/i,
  things: {
    trouble:
      /(?:est|sont|reste) (?:\S+ ){0,2}?(?:en panne|cassée?s?|hors service|fermée?s?|bouchée?s?|hs)(?!\p{L})/iu,
    mended:
      /(?:(?:fonctionne|fonctionnent|marche|marchent) (?:à nouveau|de nouveau|depuis|enfin)|remarchent?|refonctionnent?|a (?:rouvert|redémarré)|(?:est|sont|a été|ont été) (?:\S+ ){0,2}?(?:réparée?s?|rouverte?s?|remise?s? en (?:service|marche)))(?!\p{L})/iu,
    amounts: /(?:(?:est|sont) de|coûtent?|s['’] ?élève à|vaut|sont|est à)(?: désormais| maintenant)?/iu,
    rises:
      /(?:est |a )?(?:passe|passé|passée|monte|monté|augmente|augmenté|baisse|baissé|descend)(?: \S+){0,2}? à/iu,
    shifted:
      /(?:est|a été|sont) (?:reportée?s?|déplacée?s?|avancée?s?|décalée?s?|repoussée?s?) (?:au|à|du)/iu,
    remains: /(?:il )?(?:n['’] ?)?(?:en )?(?:restent?)(?: plus que| que)?/iu,
  },
};
