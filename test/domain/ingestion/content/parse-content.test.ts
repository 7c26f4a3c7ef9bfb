// Tests of finding the date, the title and the segments of a text.
import { describe, expect, it, test } from 'vitest';
import { parseContent } from '../../../../server/domain/ingestion/content/parse-content.ts';
import { recogniseKind } from '../../../../server/domain/ingestion/content/recognise-kind.ts';

const MAY = Date.UTC(2023, 4, 8);
const parsed = (text: string, hints: { title?: string; date?: number } = {}) =>
  parseContent(text, { kind: recogniseKind(text), ...hints });

describe('the date of a text', () => {
  const dated: [name: string, text: string, date: number | undefined][] = [
    ['a labelled line', 'Date: 8 May 2023\n\nWe met at the pier.', MAY],
    [
      'a line of introduction',
      'Here is the date the following session took place: 1:56 pm on 8 May, 2023\n\nuser: hi\nassistant: yo',
      MAY + 13 * 3_600_000 + 56 * 60_000,
    ],
    ['a line in brackets', '[Session date: 2023-05-08]\nuser: hi\nassistant: yo', MAY],
    ['a line that is a date', '# 2023-05-08\n\nWe met.', MAY],
    ['the header of a mail', 'From: a@b.example\nDate: Mon, 8 May 2023 00:00:00 +0000\n\nHi', MAY],
    ['the first message with a time', '[2023-05-08, 00:00] Ana: x\n[2023-05-09, 00:00] Ben: y', MAY],
    ['a date that could mean two days', 'Date: 05/08/2023\nHello.', undefined],
    ['a date in a sentence', 'It was on 8 May 2023 that we met.', undefined],
    ['another labelled number', 'Version: 2023-05-08\nHello.', undefined],
    ['no date', 'We met.', undefined],
  ];
  test.each(dated)('is found by %s', (_name, text, date) => expect(parsed(text).date).toBe(date));

  it('is the one that the sender stated', () => {
    expect(parsed('Date: 8 May 2023\n\nWe met.', { date: 5 }).date).toBe(5);
  });
});

describe('the title of a text', () => {
  const titled: [name: string, text: string, title: string | undefined][] = [
    [
      'the first heading',
      'Intro\n\n## The *Harbour* [Museum](https://a.example) ##\n\nText',
      'The Harbour Museum',
    ],
    ['the front matter', '---\ntags: [a]\ntitle: "Harbour Museum"\n---\n\n# Other\n', 'Harbour Museum'],
    ['a heading, not a comment in code', '```sh\n# not this\n```\n\n# This\n\ntext', 'This'],
    [
      'a first line set off from the text',
      'The Harbour Museum\n\nIt opened in 1924 as a small room above the office.',
      'The Harbour Museum',
    ],
    ['no salutation', 'Dear Ana,\n\nI write to you about the museum and all that is in it.', undefined],
    ['no code', 'import os\n\nprint(os.path.join("a", "b"), "and so on and so on")', undefined],
    ['no line of a paragraph', 'The museum opened\nin 1924.', undefined],
    [
      'the title of a JSON conversation',
      '{"title":"Trip","messages":[{"role":"user","content":"hi"}]}',
      'Trip',
    ],
    ['a heading above messages', '# Weekly sync\n\nuser: hi\nassistant: yo', 'Weekly sync'],
  ];
  test.each(titled)('is %s', (_name, text, title) => expect(parsed(text).title).toBe(title));

  it('is the one that the sender gave', () =>
    expect(parsed('# Other\n\ntext', { title: 'Mine' }).title).toBe('Mine'));
});

describe('segments', () => {
  it('of a document are its text without the blanks around it', () => {
    expect(parsed('\n Hello\r\nthere \n')).toEqual({
      kind: 'document',
      chat: false,
      segments: [{ text: 'Hello\nthere', role: null }],
    });
    expect(parsed(' \n ').segments).toEqual([]);
  });

  it('of a conversation are its turns', () => {
    const { kind, chat, segments } = parsed('user: hi\nassistant: yo');
    expect([kind, chat, segments]).toEqual([
      'conversation',
      true,
      [
        { role: 'user', text: 'hi' },
        { role: 'assistant', text: 'yo' },
      ],
    ]);
  });

  it('leave out a lead that only dates or introduces the messages, and keep any other', () => {
    const json = '[{"role":"user","content":"hi"}]';
    const lead =
      'Here is the date the following session took place: 8 May 2023\n\nHere is the session as a stringified JSON:\n';
    expect(parsed(lead + json).segments.map((segment) => segment.text)).toEqual(['hi']);
    expect(parsed(`Date: 8 May 2023\nPresent: all\n${json}`).segments.map((segment) => segment.text)).toEqual(
      ['Date: 8 May 2023\nPresent: all', 'hi'],
    );
  });

  it('of a page are never turns', () => {
    expect(parseContent('user: hi\nassistant: yo', { kind: 'html' }).kind).toBe('document');
  });

  it('of captions without names are a document without the times', () => {
    const captions =
      'WEBVTT\n\n00:01.000 --> 00:02.000\nThe museum\n\n00:02.000 --> 00:03.000\nopened in 1924.';
    expect(parsed(captions)).toMatchObject({
      kind: 'document',
      segments: [{ text: 'The museum opened in 1924.' }],
    });
  });

  it('contain no half of a character', () => {
    expect(parsed('a\ud800b').segments[0]?.text).toBe('a\ufffdb');
  });
});

describe('the recognition of chats with an assistant', () => {
  const chats: [name: string, text: string, chat: boolean][] = [
    ['roles without names', 'user: hi\nassistant: yo', true],
    [
      'a named user and an assistant',
      '[{"role":"user","name":"Ana","content":"hi"},{"role":"assistant","content":"yo"}]',
      true,
    ],
    ['a user alone', 'user: I like tea', true],
    ['people with names', 'Ana: hi!\nBen: you too?\nAna: yes', false],
    [
      'people with names in the roles of user and assistant',
      '[{"role":"user","speaker":"Ana","content":"hi"},{"role":"assistant","speaker":"Ben","content":"yo"}]',
      false,
    ],
  ];
  test.each(chats)('handles %s', (_name, text, chat) => expect(parsed(text).chat).toBe(chat));
});
