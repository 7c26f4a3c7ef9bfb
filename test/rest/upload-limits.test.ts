// Uploads that are too large, and clients that go away in the middle: refused early, and nothing is left.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { timePasses } from '../support/until.ts';
import { BOUNDARY, END, head, sendRaw } from './support/upload.ts';
import { watchUploads } from './support/upload-traces.ts';
import { useOwnMemoir } from './support/use-memoir.ts';

const api = useOwnMemoir();
const { leavesNothing } = watchUploads(api);

const MOST = 52_428_800;

/** So many bytes of no text, in pieces. */
function* bytes(length: number): Generator<Buffer> {
  const piece = Buffer.alloc(1 << 16, 1);
  for (let left = length; left > 0; left -= piece.length)
    yield piece.subarray(0, Math.min(left, piece.length));
}

const formWith = (length: number, before: string[] = [], after: string[] = []) =>
  function* (): Generator<Buffer | string> {
    yield* before;
    yield head('file', 'large.bin');
    yield* bytes(length);
    yield* after;
    yield END;
  };

describe('the size', () => {
  verifies(
    ['upload:file:exact-limit', 'upload:file:limit'],
    'the size may be 52,428,800 bytes, and not one more, however it is announced',
    async () => {
      const taken = await sendRaw(api.memoir, { pieces: formWith(MOST)() });
      expect(taken?.status).toBe(200);
      const { id } = JSON.parse(taken?.text ?? '{}');
      expect(await api.settled(id)).toMatchObject({
        failure: { code: 'unsupported_type' },
        raw: { bytes: MOST },
      });
      const late = [`\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="metadata"\r\n\r\n{"a":1}`];
      const forms = [formWith(MOST + 1), formWith(MOST + 1, [], late)];
      for (const form of forms) {
        const length = [...form()].reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
        for (const headers of [{}, { 'content-length': length }])
          await leavesNothing(async () => {
            const answer = await sendRaw(api.memoir, { headers, pieces: form() });
            expect([answer?.status, answer?.text]).toEqual([
              400,
              expect.stringContaining('larger than 50 MiB'),
            ]);
          });
      }
    },
    { timeoutMs: 120_000 },
  );

  verifies(
    'upload:file:limit',
    'the size is refused early: before anything when it is announced, else at the first byte too many',
    async () => {
      const announced = await leavesNothing(() =>
        sendRaw(api.memoir, { headers: { 'content-length': 300_000_000 }, pieces: formWith(300_000_000)() }),
      );
      expect(announced).toMatchObject({ status: 400, text: expect.stringContaining('larger than 50 MiB') });
      expect(announced?.sent).toBeLessThan(20_000_000);
      const silent = await leavesNothing(() => sendRaw(api.memoir, { pieces: formWith(300_000_000)() }));
      expect(silent).toMatchObject({ status: 400, text: expect.stringContaining('larger than 50 MiB') });
      expect(silent?.sent).toBeLessThan(100_000_000);
    },
    { timeoutMs: 60_000 },
  );

  verifies(
    'upload:file:limit',
    'the size counts what stands around the file as well',
    async () => {
      const answer = await leavesNothing(() =>
        sendRaw(api.memoir, {
          pieces: (function* () {
            for (let field = 0; field < 60; field++) {
              yield head(`field${field}`);
              yield 'x'.repeat(1_000_000);
              yield '\r\n';
            }
            yield END;
          })(),
        }),
      );
      expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('larger than 50 MiB') });
    },
    { timeoutMs: 60_000 },
  );
});

verifies(
  'upload:aborted:nothing-left',
  'a client that goes away in the middle leaves nothing, wherever that was',
  async () => {
    const begun: [string, (Buffer | string)[]][] = [
      ['in a field', [head('metadata'), '{"a":']],
      ['in the head of the file', [head('file', 'a.bin').slice(0, -20)]],
      ['in the file', [head('file', 'a.bin'), ...bytes(20_000_000)]],
      ['behind the file', [head('file', 'a.bin'), ...bytes(1_000_000), `\r\n--${BOUNDARY}\r\n`]],
    ];
    for (const [where, pieces] of begun)
      await leavesNothing(async () => {
        const slowly = async function* () {
          yield* pieces;
          await timePasses(150, 'the server reads what was sent before the client goes away');
        };
        expect(await sendRaw(api.memoir, { pieces: slowly(), cut: true }), where).toBeNull();
        await timePasses(100, 'the server notices that the client went away');
      });
  },
  { timeoutMs: 60_000 },
);
