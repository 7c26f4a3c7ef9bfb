// Small files that unpack, repeat or refer to something large, sent as anybody would send them.
import { expect } from 'vitest';
import { hugePicture, longAttribute, lyingPng, sharedText } from '../adapters/extract/fixtures/bombs.ts';
import { verifies } from '../spec/verifies.ts';
import { fileOf, postForm } from './support/upload.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const MEGABYTE = 1_000_000;
const FILES = [
  ['lyingdim.png', 'corrupt_file', lyingPng(20 * MEGABYTE)],
  ['bomb_attr.docx', 'text_too_large', longAttribute(10 * MEGABYTE)],
  ['hugeimg.pdf', 'image_too_large', hugePicture(60_000, 60_000)],
  ['shared.xlsx', 'text_too_large', sharedText(MEGABYTE, 1_000)],
] as const;

verifies(
  'content:declared:checked',
  'a small file that would become large fails with a code, and a page sent after it is read',
  async () => {
    const tag = api.newTag();
    const sent: { id: string; code: string }[] = [];
    for (const [name, code, bytes] of FILES) {
      const { body } = await postForm(api.memoir, [
        ['containerTag', tag],
        ['file', fileOf(bytes), name],
      ]);
      sent.push({ id: body.id, code });
    }
    const page = await postForm(api.memoir, [
      ['containerTag', tag],
      ['file', fileOf('<html><body><p>A heron waits.</p></body></html>'), 'page.html'],
    ]);
    expect(await api.settled(page.body.id)).toMatchObject({ status: 'done', content: 'A heron waits.' });
    for (const { id, code } of sent)
      expect(await api.settled(id)).toMatchObject({ status: 'failed', failure: { code, retryable: false } });
  },
  { timeoutMs: 120_000 },
);
