// The decisions on submissions, as far as both ingestion and the store have to tell them apart.

/** The decisions whose submission took text away from the document. */
const ERASING = new Set(['replaced', 'unreadable']);

export const erasesText = ({ decisions }: { decisions: readonly { decision: string }[] }): boolean =>
  decisions.some(({ decision }) => ERASING.has(decision));
