// Selects an assistant's statements about its own actions; its explanations, echoes and offers are not facts.

const DID =
  /^I(?: have)? (?:just |now |already |also )?(?:booked|scheduled|rescheduled|reserved|ordered|sent|cancelled|canceled|deployed|submitted|registered|purchased|bought|paid|filed|uploaded|emailed|called|published|transferred)\b(?! (?:it|that|this|them|these|those|some|below)\b)/i;

export const assistantDid = (sentence: string): boolean => DID.test(sentence);

export const assistantExamples: readonly (readonly [string, boolean])[] = [
  ['I have booked a table for two at Nobu on Friday', true],
  ['I scheduled your review for 9 May', true],
  ['I remember that you like cats', false],
  ['I have updated it', false],
  ['You might like Tempelhof', false],
];
