// The lines of standard input that are messages. The library drops a line that is none without an answer, and its caller waits.
import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server';

/** An answer to a line that is no message, as JSON-RPC has it. */
export interface LineRefusal {
  jsonrpc: '2.0';
  id: string | number | null;
  error: { code: number; message: string };
}

/** The library ends the connection at this length. */
const LONGEST_LINE = 10 * 1024 * 1024;
const LINE_END = 0x0a;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

const refusal = (code: number, message: string, id: unknown = null): LineRefusal => ({
  jsonrpc: '2.0',
  id: typeof id === 'string' || typeof id === 'number' ? id : null,
  error: { code, message },
});

const parsedLine = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
};

const isMessage = (value: unknown): value is JSONRPCMessage => {
  try {
    parseJSONRPCMessage(value);
    return true;
  } catch {
    // The reasons of the library name its schemas, and help nobody.
    return false;
  }
};

/** Null: the line is a message, or empty. */
const refusalOf = (line: Buffer): LineRefusal | null => {
  const text = line.toString('utf8').trim();
  if (text === '') return null;
  const parsed = parsedLine(text);
  if (parsed === null)
    return refusal(
      PARSE_ERROR,
      'Parse error: a line is not valid JSON. Send each message as one line of JSON.',
    );
  const { value } = parsed;
  if (isMessage(value)) return null;
  if (Array.isArray(value))
    return refusal(
      INVALID_REQUEST,
      'Invalid request: a batch is not read. Send each message on a line of its own.',
    );
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : null;
  return refusal(
    INVALID_REQUEST,
    'Invalid request: a line is not a JSON-RPC 2.0 message. It needs "jsonrpc": "2.0" and a "method", "result" or "error".',
    id,
  );
};

/** Yields each message as a line with its end, also the last one without it; `refuse` answers every other line. */
export async function* messageLines(
  input: AsyncIterable<Buffer>,
  refuse: (answer: LineRefusal) => void,
): AsyncGenerator<Buffer> {
  let [pieces, length]: [Buffer[], number] = [[], 0];
  const take = (piece: Buffer): void => {
    length += piece.length;
    if (length > LONGEST_LINE) pieces = [];
    else pieces.push(piece);
  };
  const finish = (): Buffer | null => {
    const line = Buffer.concat(pieces);
    const isLong = length > LONGEST_LINE;
    [pieces, length] = [[], 0];
    const answer = isLong
      ? refusal(INVALID_REQUEST, 'Invalid request: a message is limited to 10 MB. Send less at once.')
      : refusalOf(line);
    if (answer === null) return line;
    refuse(answer);
    return null;
  };
  for await (const piece of input) {
    let rest = piece;
    for (let end = rest.indexOf(LINE_END); end >= 0; end = rest.indexOf(LINE_END)) {
      take(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      const line = finish();
      if (line !== null) yield Buffer.concat([line, Buffer.from('\n')]);
    }
    take(rest);
  }
  const last = finish();
  if (last !== null) yield Buffer.concat([last, Buffer.from('\n')]);
}
