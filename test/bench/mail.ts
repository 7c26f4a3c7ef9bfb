// (q) Searches while mails are sent to a mail server in trouble, against the same searches while it takes them.
import type { Sizes } from './options.ts';
import type { Row, Section } from './report.ts';
import { type Ask, asked, connect, post } from './support/connection.ts';
import { CHARACTERS, fill } from './support/fill.ts';
import { closedLoop, paced } from './support/load.ts';
import { type Server, startServer } from './support/memoir.ts';
import { median, medianInterval, ms, quantile, times, whole } from './support/numbers.ts';
import { SEARCHED_TAG, TAG_CHUNKS } from './support/stores.ts';
import { questionAbout, randomFrom } from './support/texts.ts';
import { startTroubledMail, TROUBLES, type Trouble, type TroubledMail } from './support/troubled-mail.ts';

const MOST_SLOWER = 1.2;
const TURN_SECONDS = 1;
const PAIRS_OF_A_ROUND = 4;
/** More pairs are run while the interval is wider, at most so many times as many. */
const WIDEST = 0.4;
const MOST_TIMES = 4;
const CONNECTIONS = 2;
const MAILS_PER_SECOND = 10;
/** An address that is invited again gets another mail. */
const ADDRESSES = 20;

/** The part `mail` of the health, as it is shown to operators. */
const mailPart = async ({ url, key }: Server): Promise<string> => {
  const answer = await fetch(`${url}/health`, { headers: { authorization: `Bearer ${key}` } });
  const { parts } = (await answer.json()) as { parts?: Record<string, { status: string; detail?: string }> };
  const { status = 'missing', detail = '' } = parts?.mail ?? {};
  return `${status}: ${detail}`;
};

interface Turn {
  p95: number;
  searches: number;
}

const takeTurn = async (server: Server, next: () => Ask): Promise<Turn> => {
  const end = performance.now() + TURN_SECONDS * 1000;
  let invited = 0;
  const invite = (): Ask =>
    post('/v3/auth/team/invite', { email: `person-${invited++ % ADDRESSES}@example.org` });
  const over = () => performance.now() > end;
  const [{ latencies }] = await Promise.all([
    closedLoop(server, { connections: CONNECTIONS, seconds: TURN_SECONDS, next }),
    paced(server, { perSecond: MAILS_PER_SECOND, connections: 2, over, next: invite }),
  ]);
  return { p95: quantile(latencies, 0.95), searches: latencies.length };
};

interface Opened {
  server: Server;
  smtp: TroubledMail;
  search: () => Ask;
}

const measureTrouble = async (
  { server, smtp, search }: Opened,
  trouble: Trouble,
  least: number,
): Promise<Row[]> => {
  const [well, troubled]: [Turn[], Turn[]] = [[], []];
  let said = '';
  const ratios = () => troubled.map(({ p95 }, at) => p95 / (well[at]?.p95 ?? Number.NaN));
  const isWide = () => {
    const { from, to } = medianInterval(ratios());
    return to - from > WIDEST;
  };
  for (let pair = 0; pair < least || (pair < least * MOST_TIMES && isWide()); pair++) {
    for (const present of pair % 2 === 0 ? [null, trouble] : [trouble, null]) {
      await smtp.make(present);
      (present === null ? well : troubled).push(await takeTurn(server, search));
      if (present !== null) said = await mailPart(server);
    }
  }
  const { from, to } = medianInterval(ratios());
  const p95 = (turns: readonly Turn[]) => ms(median(turns.map((turn) => turn.p95)));
  const searches = troubled.reduce((sum, turn) => sum + turn.searches, 0);
  return [
    {
      what: `the mail server ${trouble}: p95 of searches, against those while it takes mails, median of ${well.length} pairs and 95 % interval`,
      figure: `${times(median(ratios()))} (${times(from)} to ${times(to)}), ${p95(troubled)} against ${p95(well)}, ${whole(searches)} searches`,
      target: `at most ${times(MOST_SLOWER)}`,
      met: median(ratios()) <= MOST_SLOWER,
    },
    {
      what: `the mail server ${trouble}: the part mail in GET /health`,
      figure: said,
      target: 'degraded',
      met: said.startsWith('degraded'),
    },
  ];
};

export const mail = async ({ rounds }: Sizes): Promise<Section> => {
  const smtp = await startTroubledMail();
  const server = await startServer({
    env: {
      MEMOIR_SMTP_URL: smtp.url,
      MEMOIR_MAIL_FROM: 'memoir@example.org',
      MEMOIR_BASE_URL: 'http://memoir.example',
    },
  });
  try {
    await fill(server, { from: 0, count: TAG_CHUNKS, tagOf: () => SEARCHED_TAG });
    await server.settled();
    const random = randomFrom(13);
    /** Never the same one, because a repeated one costs nothing. */
    const question = () => questionAbout(Math.floor(random() * TAG_CHUNKS), CHARACTERS, random);
    const search = () =>
      post('/v4/search', { q: question(), containerTag: SEARCHED_TAG, searchMode: 'hybrid', threshold: 0 });
    const owner = connect(server.url, server.key);
    await asked(owner, search());
    owner.close();
    await takeTurn(server, search);
    const rows: Row[] = [];
    for (const trouble of TROUBLES)
      rows.push(...(await measureTrouble({ server, smtp, search }, trouble, PAIRS_OF_A_ROUND * rounds)));
    return {
      ...{ letter: 'q', title: 'Searches while the mail server is in trouble', rows },
      notes: [
        `${MAILS_PER_SECOND} invitations a second during all turns of ${TURN_SECONDS} s; searches over ${CONNECTIONS} connections in a tag of ${whole(TAG_CHUNKS)} chunks.`,
      ],
    };
  } finally {
    await server.close();
    await smtp.close();
  }
};
