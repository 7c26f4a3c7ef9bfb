// Proposals, wishes, requests and attempts in vain: a statement of one replaces no state, because it has not come about. Each
// language has words of its own for them, and for what was accepted.

/** "Proposal to raise the fee to 1,500: three against", "nearly left the choir", "tried to move it to Monday". */
const IN_VAIN = [
  /\b(?:proposals?|suggestions?|motion) (?:to|for|that|of|was|were)\b/i,
  /\b(?:propos|suggest)(?:es?|s|ed) (?:to (?!the user|me\b|her\b|him\b|\p{Lu})|that |an? |the |\p{N})/u,
  /^(?:suggest(?:ed|ions?)|propos(?:ed|als?)|ideas?)[^:]{0,20}: /i,
  /\b(?:voted down|outvoted)\b/i,
  /\b(?:nearly|almost) (?:\p{Ll}+ed|left|quit|sold|lost|bought|gave|went|took|got)\b/u,
  /\b(?:tried|attempted|hoped|failed) to (?=\p{L})/u,
  /\basked (?:(?!to\b)\p{L}+ )?(?:if|whether) /u,
  /(?<!\p{L})(?:schl(?:ägt|agen|ug|ugen) .*(?<!\p{L})vor(?!\p{L})|(?:hat|haben) .*vorgeschlagen|(?:fragt|fragte|gefragt),? ob|(?:hat|habe|haben) .*versucht)/iu,
  /(?<!\p{L})(?:propone[nr]?|propus(?:o|ieron)|propuesto|sugiere|sugirió|intent[óé]|intentado|preguntó si)(?!\p{L})/iu,
  /(?<!\p{L})(?:propose|proposent|a proposé|ont proposé|suggère|a suggéré|demandé? si|essayé d|tenté d)(?!\p{L})/iu,
  /(?<!\p{L})(?:propone|propongono|proposto di|ha proposto|suggerisce|provato a|cercato di|chiesto se)(?!\p{L})/iu,
  /(?<!\p{L})(?:propõe|propôs|propuseram|sugere|sugeriu|tent(?:ou|ei)|perguntou se)(?!\p{L})/iu,
  /建议|提议/u,
];
const WISHED =
  /\bwould (?:like|love)\b|\bwants? (?:(?:an?|the|us|them) |to (?!be called\b))|(?<!\p{L})(?:möchten?|wünscht|würden? .*gerne?|wollten?|voudrai[ts]|aimerai[ts]|souhait(?:e|erai[ts])|veut|gustaría|quisiera|querría|quiere|vorrebbe|vorrei|vuole|gostaria|quer|queria)(?!\p{L})/iu;
const LABEL = /^[^:]{1,40}: /;
/** "The suggestion to meet at six was accepted", "suggested a walk, so now". */
const CAME_ABOUT =
  /(?<!\p{L})(?:accepted|agreed|approved|adopted|carried|decided|passed|unanimous\p{L}*|so|now|these days|managed|angenommen|beschlossen|einverstanden|zugestimmt|genehmigt|ab (?:jetzt|sofort)|jetzt|nun|aprob\p{L}+|acept\p{L}+|acord\p{L}+|acuerd\p{L}+|ahora|adopt\p{L}+|accept\p{L}+|approuv\p{L}+|d['’]accord|désormais|maintenant|approvat\p{L}|accettat\p{L}|accord\p{L}|decis\p{L}|adesso|aprovad\p{L}|aceit\p{L}|agora)(?!\p{L})|通过|同意/iu;

export const isInVain = (memory: string): boolean =>
  IN_VAIN.some((form) => form.test(memory)) && !CAME_ABOUT.test(memory);

/** A wish may still take the place of another wish: "would like an aisle seat". */
export const isWish = (memory: string): boolean => {
  const [main = ''] = memory.replace(LABEL, '').split(/[,;:] /);
  return WISHED.test(main) && !CAME_ABOUT.test(memory);
};
