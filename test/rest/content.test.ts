// Each kind of content is added over REST, read back as it was sent, and found by what it says.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

/** Adds it, expects it to be done and unchanged, and gives its tag, its title and the texts of its chunks. */
const taken = async (content: string) => {
  const tag = api.newTag();
  const document = await api.add({ content, containerTag: tag });
  expect(document).toMatchObject({ status: 'done', failure: null, content });
  return { tag, title: document.title, texts: await api.texts(document.id) };
};

describe('text', () => {
  verifies('content:text:plain', 'text is stored and found', async () => {
    const content = 'The blue heron stands by the lake, waiting for fish.';
    const { tag, texts } = await taken(content);
    expect(texts).toEqual([content]);
    for (const mode of ['keyword', 'semantic', 'hybrid'])
      expect(await api.found('where is the heron', tag, { searchMode: mode })).toEqual([content]);
    expect(await api.found('penguin', tag)).toEqual([]);
  });

  verifies('content:markdown:text', 'text in Markdown is stored with its title, and found', async () => {
    const content = [
      '# Field guide',
      'Herons are patient birds.',
      '## Where to look\n\n- by the lake\n- on **tall** trees',
      '| month | count |\n|---|---|\n| April | 17 |',
      '```js\nconst sighting = "egret";\n```',
    ].join('\n\n');
    const { tag, title, texts } = await taken(content);
    expect(title).toBe('Field guide');
    expect(texts).toEqual([content]);
    for (const words of ['patient', 'tall trees', 'April 17', 'egret'])
      expect(await api.found(words, tag), words).toEqual([content]);
  });

  verifies(
    'content:markdown:text',
    'text in Markdown with many sections is cut at its headings',
    async () => {
      const sections = ['Herons', 'Egrets', 'Storks'].map(
        (bird) => `## ${bird}\n\n${`${bird} were seen here in spring. `.repeat(40)}`,
      );
      const { tag, texts } = await taken(`# Birds\n\n${sections.join('\n\n')}`);
      for (const bird of ['Herons', 'Egrets', 'Storks'])
        expect(texts.filter((text) => text.includes(`## ${bird}`))).toHaveLength(1);
      expect((await api.found('storks', tag))[0]).toContain('Storks were seen');
    },
  );
});

describe('HTML', () => {
  const page = `<!doctype html><html><head><title>Herons of the lake</title>
    <style>.menu { color: papayawhip }</style><script>const tracker = "zebrafish";</script></head>
    <body><nav><a href="/">Walrus</a><a href="/shop">Narwhal shop</a></nav>
    <article><h1>Herons of the lake</h1>
    <p>${'The heron waits for a long time before it strikes, and seldom misses. '.repeat(4)}</p>
    <p>It nests in <em>colonies</em> &amp; returns in M&auml;rz.</p></article>
    <footer>Imprint of the marmoset</footer></body></html>`;

  verifies(
    'content:html:main-content',
    'HTML is found by its article, not by tags, scripts and menus',
    async () => {
      const { tag, title, texts } = await taken(page);
      expect(title).toBe('Herons of the lake');
      expect(texts.join('\n')).toContain('The heron waits for a long time');
      expect(texts.join('\n')).toContain('colonies');
      for (const word of ['strikes', 'colonies', 'März'])
        expect(await api.found(word, tag), word).toHaveLength(1);
      for (const word of ['walrus', 'narwhal', 'zebrafish', 'papayawhip', 'marmoset', 'article', 'auml'])
        expect(await api.found(word, tag), word).toEqual([]);
      expect(texts.join('\n')).not.toMatch(/<\/?[a-z]|&amp;|zebrafish|papayawhip/);
    },
  );

  verifies('content:html:main-content', 'HTML as a fragment is found by all that it says', async () => {
    const { tag, texts } = await taken(
      '<p>The <b>kettle</b> whistles.</p><ul><li>Tea</li><li>Milk</li></ul>',
    );
    expect(texts.join('\n')).not.toMatch(/<\/?[a-z]/);
    for (const word of ['kettle', 'tea', 'milk']) expect(await api.found(word, tag), word).toHaveLength(1);
    expect(await api.found('ul', tag)).toEqual([]);
  });

  verifies('content:html:main-content', 'HTML that shows nothing is failed with a sentence', async () => {
    const document = await api.add({ content: '<html><body><script>let x = 1;</script></body></html>' });
    expect(document).toMatchObject({ status: 'failed', failure: { retryable: false } });
    expect(document.failure?.message).toMatch(/^No text was found/);
  });
});

const SAID = ['Where is the blue heron?', 'By the lake.', 'ok'];
const [ASKED, ANSWERED, NODDED] = SAID;
const messages = [
  { role: 'user', content: ASKED },
  { role: 'assistant', content: ANSWERED },
  { role: 'user', content: NODDED },
];

/** A chunk for each turn, in order, without its label. */
const turnByTurn = (content: string) => async () => {
  const { tag, texts } = await taken(content);
  expect(texts).toEqual(SAID);
  // The turns around a hit may come along; the hit is first.
  expect((await api.found('heron', tag))[0]).toContain(ASKED);
  expect((await api.found('lake', tag))[0]).toContain(ANSWERED);
};

describe('a conversation is understood turn by turn', () => {
  const lines: [string, string][] = [
    ['role-prefixed lines', `user: ${ASKED}\nassistant: ${ANSWERED}\nuser: ${NODDED}`],
    ['lines with blank ones between', `User: ${ASKED}\n\nAssistant: ${ANSWERED}\n\nUser: ${NODDED}`],
    ['lines of Windows', `user: ${ASKED}\r\nassistant: ${ANSWERED}\r\nuser: ${NODDED}\r\n`],
    ['lines with names', `Ada: ${ASKED}\nBob: ${ANSWERED}\nAda: ${NODDED}`],
    ['lines with bold labels', `**User:** ${ASKED}\n\n**Assistant:** ${ANSWERED}\n\n**User:** ${NODDED}`],
    [
      'lines with times',
      `[2026-03-01 10:00] Ada: ${ASKED}\n[2026-03-01 10:01] Bob: ${ANSWERED}\n[2026-03-01 10:02] Ada: ${NODDED}`,
    ],
  ];
  for (const [what, content] of lines)
    verifies(
      'content:conversation:lines',
      `a conversation is understood turn by turn as ${what}`,
      turnByTurn(content),
    );

  const json: [string, unknown][] = [
    ['a list of role and content', messages],
    ['a list of speaker and text', messages.map(({ role, content }) => ({ speaker: role, text: content }))],
    ['an object with messages', { model: 'x', messages }],
    [
      'content in parts',
      messages.map((turn) => ({ ...turn, content: [{ type: 'text', text: turn.content }] })),
    ],
    ['JSON that was stringified twice', JSON.stringify(messages)],
  ];
  for (const [what, value] of json)
    verifies(
      'content:conversation:json',
      `a conversation is understood turn by turn as ${what}`,
      turnByTurn(JSON.stringify(value)),
    );
  verifies(
    'content:conversation:json',
    'a conversation is understood turn by turn as indented JSON',
    turnByTurn(JSON.stringify(messages, null, 2)),
  );

  const joined: [string, string][] = [
    ['messages joined by a blank', `user: ${ASKED} assistant: ${ANSWERED} user: ${NODDED}`],
    ['messages of JSON, one a line', messages.map((turn) => JSON.stringify(turn)).join('\n')],
    [
      'messages with marks of a chat template',
      messages.map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>`).join('\n'),
    ],
  ];
  for (const [what, content] of joined)
    verifies(
      'content:conversation:joined',
      `a conversation is understood turn by turn as ${what}`,
      turnByTurn(content),
    );
});

describe('a text in any letters', () => {
  const texts: [what: string, content: string, words: string, chunk?: string][] = [
    ['lines of Windows', 'First heron.\r\nSecond egret.\r\n', 'egret', 'First heron.\nSecond egret.'],
    ['a byte order mark', '\ufeffHerons come first.', 'herons', 'Herons come first.'],
    ['emoji', 'The family 👩‍👩‍👧‍👦 flew to 🇫🇷 with a heron.', 'heron'],
    ['letters from right to left', 'שלום עולם, a heron in \u202ereverse.', 'שלום'],
    ['no blanks between words', '青い鷺は湖のほとりに立っています。', '青い鷺'],
    ['another script', 'Цапля стоит у озера.', 'озера'],
    ['composed letters found by decomposed ones', 'Le héron pêche.', 'pe\u0302che'],
    ['decomposed letters found by composed ones', 'Le he\u0301ron pe\u0302che.', 'pêche'],
    ['characters beyond 16 bits', 'The 𝔥𝔢𝔯𝔬𝔫 of 𠮷野.', 'heron'],
    ['a blank that does not break', 'Herons\u00a0fly\u2009far.', 'fly'],
  ];
  for (const [what, content, words, chunk = content] of texts)
    verifies('content:text:plain', `a text in any letters with ${what} is kept and found`, async () => {
      const { tag, texts: chunks } = await taken(content);
      expect(chunks).toEqual([chunk]);
      expect(await api.found(words, tag)).toEqual([chunk]);
    });

  verifies(
    'content:text:plain',
    'a text in any letters with half a character is kept with a mark in its place',
    async () => {
      const tag = api.newTag();
      const { id, status } = await api.add({ content: 'A heron \ud83d alone.', containerTag: tag });
      expect([status, (await api.read(id)).content]).toEqual(['done', 'A heron \ufffd alone.']);
      expect(await api.found('heron', tag)).toEqual(['A heron \ufffd alone.']);
    },
  );

  verifies(
    ['content:text:plain', 'documents:add:content-size', 'documents:get:content'],
    'a text in any letters of exactly 10 MiB is done, found at its end and read back to the last letter',
    async () => {
      const sentence = 'Ordinary sentences fill the archive from the first page to the last. ';
      const end = ' The final heron is called Zebulon.';
      const content = sentence.repeat(152_000).slice(0, 10 * 1024 * 1024 - end.length) + end;
      expect(Buffer.byteLength(content)).toBe(10_485_760);
      const tag = api.newTag();
      // Reading it for memories is another matter, and takes its time.
      const sent = { content, containerTag: tag, taskType: 'superrag' };
      const { id, status, content: read } = await api.add(sent);
      expect(status).toBe('done');
      expect(read === content).toBe(true);
      expect(await api.found('Zebulon', tag)).toEqual([expect.stringMatching(/Zebulon\.$/)]);
      expect((await api.chunks(id)).length).toBeGreaterThan(5000);
    },
    { timeoutMs: 60_000 },
  );
});

describe('what cannot be read', () => {
  verifies('content:url:among-words', 'an address among words is a text like any other', async () => {
    const content = 'See https://example.com/herons for the heron.';
    const { tag } = await taken(content);
    expect(await api.found('heron', tag)).toEqual([content]);
  });

  verifies(
    ['processing:failed:reason', 'processing:failed:readable'],
    'a page without text is stored, and failed with a sentence that says so',
    async () => {
      const content = '<title>Empty</title>';
      const document = await api.add({ content });
      expect(document).toMatchObject({ status: 'failed', content });
      expect(document.failure).toMatchObject({ code: 'no_text_found', retryable: false });
      expect(document.failure?.message).toMatch(/no text/i);
    },
  );
});
