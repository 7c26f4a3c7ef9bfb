import { describe, expect, it } from 'vitest';
import { type MailMessage, writeMailThread } from '../../../../server/core/mail/thread.ts';
import { describeKind } from '../fixtures/contract.ts';
import { readBytes } from '../fixtures/in-process.ts';

const message = (from: string, text: string | null, more: Partial<MailMessage> = {}): MailMessage => ({
  ...{ from, text, sentAt: Date.UTC(2026, 0, 1), html: null, attachments: [] },
  ...more,
});

const thread = (...messages: MailMessage[]): Buffer =>
  Buffer.from(writeMailThread({ subject: 'The harbour plan', messages }));

const ANN = 'Ann Example <ann@example.org>';
const BEN = '"Ben Example" <ben@example.org>';
const FIRST =
  'The new harbour opens in May.\n\nThe north pier is closed until then, so ships go to the south pier.';

describeKind('mail', { sample: thread(message(ANN, FIRST)), type: 'text', mimeType: /vnd\.memoir\.mail/ });

const textsOf = async (...messages: MailMessage[]): Promise<string[]> =>
  (await readBytes(thread(...messages))).parts.map(({ text }) => text);

const marked = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

describe('a thread of mail', () => {
  it('has the sender and the time of each message, and its subject as the title', async () => {
    const { head, parts } = await readBytes(
      thread(
        message(ANN, FIRST),
        message(BEN, 'I will tell the captains.', { sentAt: Date.UTC(2026, 0, 2) }),
      ),
    );
    expect(head).toMatchObject({ title: 'The harbour plan', form: 'prose' });
    expect(parts).toEqual([
      { text: FIRST, speaker: 'Ann Example', at: Date.UTC(2026, 0, 1) },
      { text: 'I will tell the captains.', speaker: 'Ben Example', at: Date.UTC(2026, 0, 2) },
    ]);
  });

  it.each([
    ['English', 'On Thu, Jan 1, 2026 at 9:00 AM Ann Example <ann@example.org> wrote:'],
    ['on two lines', 'On Thu, Jan 1, 2026 at 9:00 AM Ann Example\n<ann@example.org> wrote:'],
    ['German', 'Am Do., 1. Jan. 2026 um 09:00 Uhr schrieb Ann Example <ann@example.org>:'],
    ['French', 'Le jeu. 1 janv. 2026 à 09:00, Ann Example <ann@example.org> a écrit :'],
    ['Spanish', 'El jue, 1 ene 2026 a las 9:00, Ann Example (<ann@example.org>) escribió:'],
  ])('loses what a program quotes below an answer: %s', async (_language, attribution) => {
    const answer = `I will tell the captains.\n\n${attribution}\n\n${marked(FIRST)}\n`;
    expect(await textsOf(message(ANN, FIRST), message(BEN, answer))).toEqual([
      FIRST,
      'I will tell the captains.',
    ]);
  });

  it('loses what Outlook quotes below its lines, which has no marks', async () => {
    const head = `From: Ann Example <ann@example.org>\nSent: Thursday, January 1, 2026 9:00\nTo: Ben\nSubject: The plan`;
    const answer = `Good.\n\n${head}\n\n${FIRST}`;
    expect(await textsOf(message(ANN, FIRST), message(BEN, answer))).toEqual([FIRST, 'Good.']);
  });

  it('keeps what is quoted from a message that the thread has not', async () => {
    const quoted = marked('Another mail says that the lighthouse keeper retires in June.');
    const answer = `Look at this.\n\nOn Thu, Jan 1, 2026 Carl <carl@example.org> wrote:\n${quoted}`;
    const [, kept] = await textsOf(message(ANN, FIRST), message(BEN, answer));
    expect(kept).toContain('the lighthouse keeper retires in June');
  });

  it('keeps answers between quoted lines', async () => {
    const [open = '', , closed = ''] = FIRST.split('\n');
    const answer = `On Thu, Jan 1, 2026 Ann <ann@example.org> wrote:\n> ${open}\nIn May or in June?\n> ${closed}\nAnd the ferries?`;
    const [, kept = ''] = await textsOf(message(ANN, FIRST), message(BEN, answer));
    expect(kept).toContain('In May or in June?');
    expect(kept).toContain('And the ferries?');
    expect(kept).not.toContain('north pier');
  });

  it('reads HTML where there is no text, with its quotation removed', async () => {
    const html = `<div>Agreed, <b>May</b> is good.</div><div class="gmail_quote"><div>On Thu, Jan 1, 2026 Ann wrote:<br></div><blockquote class="gmail_quote"><div>The new harbour opens in May.</div><div>The north pier is closed until then, so ships go to the south pier.</div></blockquote></div>`;
    const [, answer] = await textsOf(message(ANN, FIRST), message(BEN, null, { html }));
    expect(answer).toBe('Agreed, **May** is good.');
  });

  it('keeps a signature apart, once for each sender', async () => {
    const signed = (text: string) => `${text}\n\n-- \nAnn Example\nHarbour Office`;
    const { parts } = await readBytes(thread(message(ANN, signed('One.')), message(ANN, signed('Two.'))));
    expect(parts.map(({ text, heading }) => [text, heading])).toEqual([
      ['One.', undefined],
      ['Ann Example\nHarbour Office', 'Signature'],
      ['Two.', undefined],
    ]);
  });

  it('names attachments, also of a message without words', async () => {
    const plan = message(ANN, '', { attachments: ['plan.pdf', 'map.png'] });
    expect(await textsOf(plan)).toEqual(['[attachment: plan.pdf]\n[attachment: map.png]']);
  });

  it('without any words is refused', async () => {
    await expect(readBytes(thread(message(ANN, ' ')))).rejects.toMatchObject({ code: 'no_text_found' });
  });
});
