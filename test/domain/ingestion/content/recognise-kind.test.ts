// Tests of recognising the kind of a text.
import { describe, expect, it, test } from 'vitest';
import {
  type RecognisedKind,
  recogniseKind,
} from '../../../../server/domain/ingestion/content/recognise-kind.ts';
import { cpuMs } from '../fixtures/cost.ts';

const rows: [kind: RecognisedKind, name: string, content: string][] = [
  ['url', 'an address', 'https://example.com/a?b=c#d'],
  ['url', 'an address with blanks around it and a loud scheme', '\n  HTTPS://Example.com/a  \n'],
  ['text', 'two addresses', 'https://a.example https://b.example'],
  ['text', 'an address in a sentence', 'See https://example.com.'],
  ['text', 'another scheme', 'ftp://example.com/a'],
  ['text', 'an address no one can visit', 'https://'],
  ['html', 'a page', '<!DOCTYPE html>\n<html><body>Hello</body></html>'],
  [
    'html',
    'a page after a comment, a declaration and a byte order mark',
    '\ufeff<?xml version="1.0"?>\n<!-- made by hand -->\n<html lang="en"><p>Hi</html>',
  ],
  ['html', 'a fragment', '<h1>Note</h1><p>Just a <b>short</b> fragment.</p>'],
  ['html', 'a fragment with attributes', '<div class="post">Hello</div>'],
  ['html', 'a page that shows Markdown', '<html><body><pre># Title\n\n```\ncode\n```\n</pre></body></html>'],
  ['text', 'other XML', '<?xml version="1.0"?><feed><entry>Hi</entry></feed>'],
  ['text', 'a tag that is none', '<Ana> are you there?'],
  ['text', 'a comparison', '<3 this, and a < b'],
  ['text', 'a component', '<template><div>{{ name }}</div></template>'],
  [
    'markdown',
    'a README that opens with a centred picture',
    '<div align="center">\n<img src="logo.png">\n</div>\n\n# Memoir\n\nA memory.\n\n- one\n- two\n',
  ],
  [
    'markdown',
    'a page with details',
    '<details>\n<summary>More</summary>\n\n## Usage\n\n```sh\nnpm start\n```\n</details>',
  ],
  ['markdown', 'a title and a text', '# Title\n\nText.'],
  ['markdown', 'the same with other line ends', '# Title\r\n\r\nText.'],
  ['markdown', 'a table', 'Prices\n\n| a | b |\n|---|---|\n| 1 | 2 |'],
  ['markdown', 'a code fence', 'Run this:\n\n```\nnpm start\n```'],
  ['markdown', 'a list with words in bold', '- **oak** is hard\n- **elm** is not'],
  ['markdown', 'front matter', '---\ntitle: A\n---\ntext'],
  ['text', 'prose', 'The harbour museum opened in 1924. It held ship models.'],
  ['text', 'a script with remarks', '#!/bin/sh\n# sets up the harbour\nset -e\n# then runs it\nmake run\n'],
  ['text', 'Python', 'import os\n\n# the path\ndef run(*args, **kwargs):\n    return os.path.join(*args)\n'],
  ['text', 'a shopping list', '- milk\n- eggs\n'],
  ['text', 'a chat, which the parser reads', 'user: hi\nassistant: hello'],
  ['text', 'nothing', ''],
  ['text', 'blanks', ' \n\t '],
  ['text', 'colours of a terminal', '\u001b[31mred\u001b[0m and plain'],
  ['text', 'a NUL in a text', 'abc\0def'],
  ['text', 'control characters', '\u0001\u0002PK\u0003\u0004\u0005\u0006abc'],
  ['text', 'bytes read with the wrong charset', '\ufffd\ufffd\ufffd\ufffd ab \ufffd\ufffd'],
  ['text', 'a text that begins like a PDF', '%PDF-1.4\n1 0 obj'],
];

describe('the kind of a text', () => {
  test.each(rows)('is %s for %s', (kind, _name, content) => expect(recogniseKind(content)).toBe(kind));

  it('is recognised from a bounded part of it', () => {
    const cost = cpuMs(() => {
      for (const piece of [' ', '\n', '[', '<', '<!--', '#', '-', '|', 'a\n', '* ', 'https://a', '\r'])
        recogniseKind(piece.repeat(Math.floor(1_000_000 / piece.length)));
    });
    expect(cost).toBeLessThan(1_000);
  });
});
