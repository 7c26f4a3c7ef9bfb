// The requirements of connections, each with its test, and with its row of `npm run test:connections` at full size.
import type { Requirement } from '../support/requirements.ts';

export interface MeasuredRequirement extends Requirement {
  /** The name of a row. */
  readonly row?: string;
}

const CONNECTIONS = 'test/rest/connections.test.ts';
const GOOGLE = 'test/rest/connection-google.test.ts';
const SIGN_IN = 'test/rest/connection-sign-in.test.ts';
const SERVICES = 'test/rest/connected-services.test.ts';
const FOREIGN = 'test/rest/connection-foreign.test.ts';
const SMALL = 'test/connections.test.ts';
const ONEDRIVE = 'test/adapters/connect/onedrive.test.ts';
const GMAIL = 'test/adapters/connect/gmail.test.ts';
const NOTION = 'test/adapters/connect/notion.test.ts';
const GITHUB = 'test/adapters/connect/github.test.ts';
const CRAWLER = 'test/adapters/connect/web-crawler.test.ts';
const HOOKS = 'test/rest/connection-hooks.test.ts';
const CLIENT = 'test/client/supermemory-connections.test.ts';
const CONTRACT = 'test/adapters/connect/contract.ts';
const HIDDEN = 'test/adapters/store/contract/connections/hidden.ts';

const small = (row: string): readonly [string, string] => [SMALL, `'${row}'`];

export const REQUIREMENTS: Readonly<Record<number, MeasuredRequirement>> = {
  1: {
    holds:
      'A drive of 10,000 files syncs with a request for each and 40 besides; its counts always add up, and 200 wait at most.',
    tests: [small('drive'), [GOOGLE, 'a drive is synced with a request for each file']],
    row: 'drive',
  },
  2: {
    holds: 'A sync without a change asks twice at most, reads nothing and writes no content.',
    tests: [small('drive'), [CONNECTIONS, 'follows edits and removals, and reads nothing that is unchanged']],
    row: 'drive',
  },
  3: {
    holds:
      'A server that is killed in the middle of a first sync ends with the same documents, once, and no loose file.',
    tests: [small('kills')],
    row: 'kills',
  },
  4: {
    holds:
      'A token that ends is renewed once, whoever asks; a new refresh token is stored before its access token is used.',
    tests: [
      small('tokens'),
      [GOOGLE, 'a renewed sign-in is kept by whoever chooses'],
      [CONTRACT, 'an ended token is renewed once'],
    ],
    row: 'tokens',
  },
  5: {
    holds:
      'A source that throttles is not asked sooner than it says, also after a restart; other sources go on.',
    tests: [
      small('throttle'),
      [CONTRACT, 'nothing is asked before the time that a throttled request was told'],
    ],
    row: 'throttle',
  },
  6: {
    holds:
      'What was removed upstream is found nowhere after the next look, and is in no file after the purge.',
    tests: [small('drive')],
    row: 'drive',
  },
  7: {
    holds: 'A listing that fails removes nothing; one that comes back empty is held until a person agrees.',
    tests: [[CONNECTIONS, 'a listing that fails removes nothing; an empty one is held']],
  },
  8: {
    holds:
      'Documents may stay without their connection, and a new one takes them over without embedding anything.',
    tests: [small('drive'), [CONNECTIONS, 'a connection can leave its documents']],
    row: 'drive',
  },
  9: {
    holds: 'Removing a connection hides its documents at once; one that another connection brings too stays.',
    tests: [
      small('drive'),
      [CONNECTIONS, 'removing hides the documents'],
      [HIDDEN, 'hide their documents from everybody in one write'],
    ],
    row: 'drive',
  },
  10: {
    holds:
      'Nothing is asked before something is chosen; then exactly the subtree is there, also when folders move.',
    tests: [
      small('chosen'),
      [SIGN_IN, 'is not asked by an import, and syncs exactly the chosen folder'],
      [GOOGLE, 'a folder that is moved out of the selection'],
    ],
    row: 'chosen',
  },
  11: {
    holds:
      'Planted secrets are in no file, log, answer or error, in no encoding; their key can be changed under load, and lost.',
    tests: [small('secrets'), [CONNECTIONS, 'one whose secrets cannot be opened says what to do']],
    row: 'secrets',
  },
  12: {
    holds: 'A key of another tag gets nothing of a connection, and the same refusal as for an unknown one.',
    tests: [
      [FOREIGN, 'gets nothing of a connection'],
      [CONNECTIONS, 'is found by its tags'],
    ],
  },
  13: {
    holds:
      'A sign-in that is forged, reused, denied, incomplete or of another account changes nothing and says why.',
    tests: [
      [SIGN_IN, 'is refused for every link that is not good'],
      [SIGN_IN, 'with another account is refused'],
    ],
  },
  14: {
    holds: 'A webhook wakes its connection and is believed nothing; forged ones do nothing.',
    tests: [
      [HOOKS, 'follows a call of GitHub'],
      [HOOKS, 'is refused where the signature does not fit'],
      [HOOKS, 'counts once, whatever id a repetition has'],
    ],
    row: 'webhooks',
  },
  15: {
    holds:
      'A refused place in the feed of OneDrive leads to the same documents without downloads; contents are asked without the token.',
    tests: [
      [SERVICES, 'list everything anew after a refused link'],
      [ONEDRIVE, 'the host of contents sees no token'],
    ],
  },
  16: {
    holds: 'Labels of mail change nothing, and a reply adds its words alone.',
    tests: [
      [GOOGLE, 'a thread of mail is a conversation'],
      [GMAIL, 'with labels that change on a thousand are neither read nor shown'],
      [GMAIL, 'after a cursor that is too old are listed'],
    ],
  },
  17: {
    holds: 'Pages of Notion are whole, lose removed properties, and go when they are no longer shared.',
    tests: [
      [SERVICES, 'become documents with their properties, and lose those that are removed'],
      [SERVICES, 'go within one round of questions after they are no longer shared'],
      [NOTION, 'of 2,500 nested blocks is complete'],
      [NOTION, 'is the same at each reading although the addresses of files are signed anew'],
    ],
  },
  18: {
    holds:
      'Many files of GitHub are read by few requests; an unchanged look costs one request for each repository.',
    tests: [
      [GITHUB, 'thousands of files cost one request for fifty of them'],
      [GITHUB, 'asks once for each repository without a new commit'],
      [GITHUB, 'a renamed branch, a force push and a moved file'],
      [SERVICES, 'become documents, which follow edits, moves and removals'],
    ],
  },
  19: {
    holds: 'A crawl brings exactly the allowed pages, one request at a time, and none of a private address.',
    tests: [
      [CRAWLER, 'of a site with traps stores exactly the allowed pages'],
      [SERVICES, 'keep titles and metadata when a later crawl finds them unchanged'],
    ],
  },
  20: {
    holds:
      'All sources pass the same stories, the published client works, and others notice little of a large first sync.',
    tests: [
      small('drive'),
      ['test/adapters/connect/sources.test.ts', 'holds only sources whose tests run the contract'],
      [CLIENT, 'connects, follows, chooses and removes'],
    ],
    row: 'drive',
  },
};
