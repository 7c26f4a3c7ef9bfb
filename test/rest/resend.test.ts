// Content sent again under its customId, end to end: what is stored, which chunks stay, what is embedded for it.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { decisionsOf } from './support/beside.ts';
import { searchedOnly } from './support/searched-only.ts';
import { useEmbeddings } from './support/use-embeddings.ts';
import { useOwnMemoir } from './support/use-memoir.ts';

const embeddings = useEmbeddings();
const api = searchedOnly(useOwnMemoir(embeddings.env));

type Fields = Record<string, unknown>;

/** A row of the table. */
interface Row {
  /** The earlier submissions, in order. */
  before: string[];
  sent: string;
  /** Sent with every content; what marks a file is stored before anybody decides. */
  with?: Fields;
  file?: Fields;
  /** As the pipeline notes it; null: there was nothing to decide. */
  decision: 'superset' | 'appended' | 'replaced' | null;
  stored: string;
  /** By their places before: the chunks that stay, with their ids and since when they are there. */
  kept: number[];
  /** The texts of the chunks that are processed anew. */
  anew: string[];
  /** The number of texts that were embedded; more than anew where a kept chunk has other surroundings. */
  embedded?: number;
}

const resent = (row: Row) => async (): Promise<void> => {
  const named = { customId: `again ${api.newTag()}`, containerTag: api.newTag(), ...row.with, ...row.file };
  for (const content of row.before) await api.add({ ...named, content });
  const { id } = await api.read(named.customId);
  const [chunks, decisions] = [await api.chunks(id), await decisionsOf(api, id)];
  const embedded = await embeddings.during(async () => {
    const { status, body } = await api.post({ ...named, content: row.sent });
    expect([status, body]).toEqual([200, { id, status: row.decision === null ? 'done' : 'queued' }]);
    expect(await api.settled(id)).toMatchObject({ status: 'done', content: row.stored });
  });
  expect(await decisionsOf(api, id)).toEqual([
    ...decisions,
    ...(row.decision === null ? [] : [row.decision]),
  ]);
  const former = new Set(chunks.map((chunk) => chunk.id));
  const after = await api.chunks(id);
  const kept = row.kept.map((place) =>
    expect.objectContaining({ id: chunks[place]?.id, createdAt: chunks[place]?.createdAt }),
  );
  expect(after.filter((chunk) => former.has(chunk.id))).toEqual(kept);
  expect(after.filter((chunk) => !former.has(chunk.id)).map(({ content }) => content)).toEqual(row.anew);
  expect(embedded, 'embedded').toHaveLength(row.embedded ?? row.anew.length);
  for (const text of row.anew) expect(embedded.some((input) => input.includes(text))).toBe(true);
  expect((await api.list({ containerTag: named.containerTag })).memories).toHaveLength(1);
};

const CHAT =
  'user: I moved to Lyon last year.\nassistant: How do you like it there?\nuser: The river is lovely.';

describe('a conversation sent again', () => {
  verifies(
    ['resend:identical:done', 'resend:custom-id:same-document'],
    'a conversation sent again word for word is done at once, and nothing happens',
    resent({ before: [CHAT], sent: CHAT, decision: null, stored: CHAT, kept: [0, 1, 2], anew: [] }),
  );

  verifies(
    [
      'resend:superset:new-part-only',
      'resend:custom-id:full-content',
      'resend:custom-id:only-new-processed',
      'resend:custom-id:same-document',
    ],
    'a conversation sent again with more turns is stored whole, and only these are processed',
    resent({
      before: [CHAT],
      sent: `${CHAT}\nassistant: And the winters?\nuser: They are mild.`,
      decision: 'superset',
      stored: `${CHAT}\nassistant: And the winters?\nuser: They are mild.`,
      kept: [0, 1, 2],
      anew: ['And the winters?', 'They are mild.'],
    }),
  );

  verifies(
    ['resend:turn:appended', 'resend:custom-id:new-part', 'resend:custom-id:only-new-processed'],
    'a conversation sent again as one new turn alone has it appended',
    resent({
      before: [CHAT],
      sent: 'assistant: And the winters?',
      decision: 'appended',
      stored: `${CHAT}\nassistant: And the winters?`,
      kept: [0, 1, 2],
      anew: ['And the winters?'],
    }),
  );

  verifies(
    'resend:turn:repeated',
    'a conversation sent again with an "ok" that was said before has it once more, in a superset',
    resent({
      before: ['user: ok\nassistant: Shall I book it?\nuser: ok'],
      sent: 'user: ok\nassistant: Shall I book it?\nuser: ok\nassistant: Booked.\nuser: ok',
      decision: 'superset',
      stored: 'user: ok\nassistant: Shall I book it?\nuser: ok\nassistant: Booked.\nuser: ok',
      kept: [0, 1, 2],
      anew: ['Booked.', 'ok'],
    }),
  );

  verifies(
    'resend:turn:repeated',
    'a conversation sent again as an "ok" that was said before has it once more, as the new part',
    resent({
      before: ['user: ok\nassistant: Shall I book it?'],
      sent: 'user: ok',
      decision: 'appended',
      stored: 'user: ok\nassistant: Shall I book it?\nuser: ok',
      kept: [0, 1],
      anew: ['ok'],
    }),
  );

  verifies(
    'resend:identical:done',
    'a conversation sent again as the very part that was sent last is the retry of a sender, not a turn said twice',
    resent({
      before: [CHAT, 'user: ok'],
      sent: 'user: ok',
      decision: null,
      stored: `${CHAT}\nuser: ok`,
      kept: [0, 1, 2, 3],
      anew: [],
    }),
  );

  verifies(
    'resend:edited:replaced',
    'a conversation sent again with an edited turn in its middle is replaced; the turns that stayed keep their chunks',
    resent({
      before: [CHAT],
      sent: CHAT.replace('How do you like it there?', 'Do you miss Paris?'),
      decision: 'replaced',
      stored: CHAT.replace('How do you like it there?', 'Do you miss Paris?'),
      kept: [0, 2],
      anew: ['Do you miss Paris?'],
      embedded: 2,
    }),
  );

  verifies(
    'resend:superset:new-part-only',
    'a conversation sent again as a JSON list grows like any other',
    resent({
      before: ['[{"role":"user","content":"I moved to Lyon."}]'],
      sent: '[{"role":"user","content":"I moved to Lyon."},{"role":"assistant","content":"How is it?"}]',
      decision: 'superset',
      stored: '[{"role":"user","content":"I moved to Lyon."},{"role":"assistant","content":"How is it?"}]',
      kept: [0],
      anew: ['How is it?'],
    }),
  );

  verifies(
    'resend:turn:appended',
    'a conversation sent again as a new turn in a JSON list is put into the stored list',
    resent({
      before: ['[{"role":"user","content":"I moved to Lyon."}]'],
      sent: '[{"role":"assistant","content":"How is it?"}]',
      decision: 'appended',
      stored: '[{"role":"user","content":"I moved to Lyon."},{"role":"assistant","content":"How is it?"}]',
      kept: [0],
      anew: ['How is it?'],
    }),
  );
});

/** As long as one passage. */
const part = (subject: string) =>
  Array.from({ length: 25 }, (_, index) => `Of the ${subject} there is fact number ${index} to tell.`).join(
    ' ',
  );
const [HERONS, TRAINS, KETTLES] = [part('herons'), part('trains'), part('kettles')];
const REPORT = `${HERONS}\n\n${TRAINS}`;

describe('a text sent again', () => {
  verifies(
    ['resend:superset:new-part-only', 'resend:custom-id:full-content', 'resend:custom-id:only-new-processed'],
    'a text sent again with an addition is stored whole, and its unchanged passages keep their chunks',
    resent({
      before: [REPORT],
      sent: `${REPORT}\n\n${KETTLES}`,
      decision: 'superset',
      stored: `${REPORT}\n\n${KETTLES}`,
      kept: [0, 1],
      anew: [KETTLES],
    }),
  );

  verifies(
    ['resend:disjoint:appended', 'resend:custom-id:new-part'],
    'a text sent again that shares nothing with the old is appended',
    resent({
      before: [REPORT],
      sent: KETTLES,
      decision: 'appended',
      stored: `${REPORT}\n\n${KETTLES}`,
      kept: [0, 1],
      anew: [KETTLES],
    }),
  );

  verifies(
    ['resend:edited:replaced', 'resend:custom-id:only-new-processed'],
    'a text sent again with its middle edited is replaced, and the passages around stay',
    resent({
      before: [`${REPORT}\n\n${KETTLES}`],
      sent: `${HERONS}\n\n${part('ferries')}\n\n${KETTLES}`,
      decision: 'replaced',
      stored: `${HERONS}\n\n${part('ferries')}\n\n${KETTLES}`,
      kept: [0, 2],
      anew: [part('ferries')],
    }),
  );

  verifies(
    'resend:edited:replaced',
    'a text sent again with one word edited is replaced',
    resent({
      before: ['The archive opens at nine. It closes at six. On Mondays it stays shut all day.'],
      sent: 'The archive opens at nine. It closes at seven. On Mondays it stays shut all day.',
      decision: 'replaced',
      stored: 'The archive opens at nine. It closes at seven. On Mondays it stays shut all day.',
      kept: [],
      anew: ['The archive opens at nine. It closes at seven. On Mondays it stays shut all day.'],
    }),
  );

  verifies(
    'resend:identical:done',
    'a text sent again is the same whatever else was said of it',
    resent({
      before: [REPORT],
      sent: REPORT,
      with: { metadata: { kind: 'report' }, title: 'Facts' },
      decision: null,
      stored: REPORT,
      kept: [0, 1],
      anew: [],
    }),
  );
});

describe('a file sent again', () => {
  for (const fields of [{ metadata: { claude_memory_type: 'file' } }, { filepath: '/notes/facts.md' }]) {
    const what = JSON.stringify(fields);
    verifies(
      'resend:file:replaced',
      `a file sent again replaces the old though it shares nothing with it: ${what}`,
      resent({
        before: [REPORT],
        sent: KETTLES,
        file: fields,
        decision: 'replaced',
        stored: KETTLES,
        kept: [],
        anew: [KETTLES],
      }),
    );

    verifies(
      ['resend:file:replaced', 'resend:custom-id:only-new-processed'],
      `a file sent again replaces the old though it is a part of it, and keeps that part: ${what}`,
      resent({
        before: [REPORT],
        sent: TRAINS,
        file: fields,
        decision: 'replaced',
        stored: TRAINS,
        kept: [1],
        anew: [],
      }),
    );
  }
});

verifies(
  ['resend:custom-id:same-document', 'resend:identical:done'],
  'what else is sent with it is kept: metadata joins the old, and a new title counts',
  async () => {
    const named = { customId: `described ${api.newTag()}`, containerTag: api.newTag(), content: CHAT };
    const { id } = await api.add({ ...named, metadata: { kind: 'chat', kept: 1 } });
    const embedded = await embeddings.during(async () => {
      const { body } = await api.post({ ...named, metadata: { kind: 'long chat' }, title: 'Lyon' });
      expect(body).toEqual({ id, status: 'done' });
    });
    expect(embedded).toEqual([]);
    expect(await api.read(id)).toMatchObject({ metadata: { kind: 'long chat', kept: 1 }, title: 'Lyon' });
    const filters = { AND: [{ key: 'kind', value: 'long chat' }] };
    expect(await api.holders('lyon', named.containerTag, { filters })).toEqual([id]);
  },
);
