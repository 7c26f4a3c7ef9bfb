// Recorded answers of a careful model to the texts of the contract.
import type { Recording } from './chat-server.ts';

const LISBON = {
  memory: 'Anna is in Lisbon until Friday 12 May 2023',
  dates: ['2023-05-12'],
  forgetAfter: '2023-05-12',
};

export const RECORDED: Recording = {
  'Anna: I live in Berlin.': [{ memory: 'Anna lives in Berlin', static: true }],
  'Anna: I moved to Munich.': [
    { memory: 'Anna moved to Munich', static: true, kind: 'updates', of: ['Anna lives in Berlin'] },
  ],
  "Anna: I'm living in Berlin.": [
    { memory: 'Anna is living in Berlin', static: true, kind: 'same', of: ['Anna lives in Berlin'] },
  ],
  'Anna: My dog is called Rex.': [
    { memory: "Anna's dog is called Rex", static: true, kind: 'extends', of: ['Anna has a dog'] },
  ],
  'Anna: I visited my aunt yesterday.': [
    { memory: 'Anna visited her aunt on 7 May 2023', dates: ['2023-05-07'] },
  ],
  'Anna: I am in Lisbon until Friday.': [LISBON],
};
