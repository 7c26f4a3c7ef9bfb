// Tests of what the client says to somebody who gave it something wrong.
import { describe, expect, test } from 'vitest';
import { Memoir, MemoirError } from '../../sdk/src/index.generated.ts';
import { startScript } from './support/scripted.ts';
import { thrownBy } from './support/thrown-by.ts';

describe('an address', () => {
  test.each(['localhost:6767', 'memoir', '', 'ftp://memoir.example'])(
    'is refused at once where it is %j, and the error says how it is written',
    (baseURL) => {
      expect(() => new Memoir({ apiKey: 'k', baseURL })).toThrow(MemoirError);
      expect(() => new Memoir({ apiKey: 'k', baseURL })).toThrow(
        `"${baseURL}" is no address of a server. Give baseURL as in http://localhost:6767.`,
      );
    },
  );

  test('is named where nothing answers, with what to check', async () => {
    const client = new Memoir({ apiKey: 'k', baseURL: 'http://127.0.0.1:9', maxRetries: 0 });
    expect(await thrownBy(client.documents.get('a'))).toMatchObject({
      name: 'APIConnectionError',
      message: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:9 could not be reached: .+\. Check that the server runs, and that baseURL is its address\.$/,
      ),
    });
  });

  test.each([
    ['text/html', '<html>Hello</html>'],
    ['text/plain', 'ok'],
    ['application/json', '{"results": ['],
    ['application/json', ''],
  ])(
    'of another server is noticed by its answer of %s, so that nothing seems to be stored',
    async (type, body) => {
      await using script = await startScript({ body, headers: { 'content-type': type } });
      expect(await thrownBy(script.client().add({ content: 'a' }))).toMatchObject({
        name: 'MemoirError',
        message: `POST ${script.url}/v3/documents answered 200 without JSON. Check that baseURL is the address of a Memoir server, and that no proxy before it answers.`,
      });
      expect(script.asked).toHaveLength(1);
    },
  );

  test('gives the beginning of a page that came in place of a refusal', async () => {
    const body = `<html>${'x'.repeat(5000)}`;
    await using script = await startScript({ status: 400, body, headers: { 'content-type': 'text/html' } });
    const error = (await thrownBy(script.client().documents.get('a'))) as Error;
    expect(error.message).toBe(`400 <html>${'x'.repeat(294)}…`);
    expect(error).toMatchObject({ error: body });
  });
});

test.each(['sm_ключ', 'sm_a\nb', ''])('a key that no header can carry is refused at once: %j', (apiKey) => {
  expect(() => new Memoir({ apiKey })).toThrow(MemoirError);
});

describe('a part of a path', () => {
  test.each(['', '.', '..', undefined as unknown as string])(
    'that is %j reaches no other operation',
    async (id) => {
      await using script = await startScript({ body: { memories: [] } });
      const error = await thrownBy(script.client().documents.get(id));
      expect(error).toBeInstanceOf(MemoirError);
      expect(error).toMatchObject({
        message: expect.stringContaining('Give the id or the name of what is meant.'),
      });
      expect(await thrownBy(script.client().containerTags.update(id, {}))).toBeInstanceOf(MemoirError);
      expect(script.asked).toHaveLength(0);
    },
  );
});

describe('a time limit', () => {
  test.each([0, -1, Number.NaN])('of %d is refused', async (timeout) => {
    await using script = await startScript({ body: { id: 'a' } });
    expect(await thrownBy(script.client().documents.get('a', { timeout }))).toMatchObject({
      message: `timeout is ${timeout}. Give milliseconds above 0.`,
    });
    expect(() => script.client({ timeout })).toThrow(MemoirError);
    expect(script.asked).toHaveLength(0);
  });

  test.each([1500.5, 2 ** 31, Number.POSITIVE_INFINITY])('of %d waits', async (timeout) => {
    await using script = await startScript({ body: { id: 'a' }, afterMs: 30 });
    expect(await script.client({ maxRetries: 0 }).documents.get('a', { timeout })).toEqual({ id: 'a' });
  });
});

describe('a file', () => {
  test('that was not found where it was fetched is not uploaded', async () => {
    await using script = await startScript({ status: 404, body: { error: 'No such file.' } });
    const file = fetch(`${script.url}/report.pdf`);
    expect(await thrownBy(script.client().documents.uploadFile({ file }))).toMatchObject({
      name: 'MemoirError',
      message: `${script.url}/report.pdf answered 404, so it is not uploaded. Check the address.`,
    });
    expect(script.asked).toHaveLength(1);
  });

  test('has the name of its address, be it with a percent sign', async () => {
    await using script = await startScript({ body: { id: 'a', status: 'queued' } });
    const file = await fetch(`${script.url}/100%.txt`);
    await script.client().documents.uploadFile({ file });
    expect(script.asked[1]?.body).toContain('filename="100%.txt"');
  });

  test('that is given as a path is refused with the way to send it', async () => {
    await using script = await startScript({ body: { id: 'a' } });
    const file = './report.pdf' as unknown as Blob;
    expect(await thrownBy(script.client().documents.uploadFile({ file }))).toMatchObject({
      name: 'MemoirError',
      message: expect.stringContaining('createReadStream'),
    });
  });
});

test('a wait for a document that the server broke off names the document, which is stored', async () => {
  await using script = await startScript(
    { body: { id: 'doc-1', status: 'queued' } },
    { body: { id: 'doc-1', status: 'processing' } },
    { cut: true },
  );
  const error = await thrownBy(script.client({ maxRetries: 0 }).documents.addAndWait({ content: 'a' }));
  expect(error).toMatchObject({
    name: 'APIConnectionError',
    message: expect.stringMatching(
      /The document doc-1 is stored\. Wait for it with documents\.waitFor\('doc-1'\)\.$/,
    ),
  });
});
