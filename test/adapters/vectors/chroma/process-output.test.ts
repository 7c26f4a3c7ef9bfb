// Tests of the output of the Chroma process.
import { describe, expect, it } from 'vitest';
import { createChromaOutput } from '../../../../server/adapters/vectors/chroma/server/process-output.ts';

const collect = () => {
  const lines: string[] = [];
  return { lines, output: createChromaOutput((line) => void lines.push(line)) };
};

describe('the output of Chroma', () => {
  it('becomes complete lines without colours, logo and advertisement', () => {
    const { lines, output } = collect();
    output.take('   \u001b[38;5;069m((((###\u001b[0m\n\nDocs: https://docs.trychroma.com\nAddress 127.0');
    output.take('.0.1:9 is not available\n');
    expect(lines).toEqual(['Address 127.0.0.1:9 is not available']);
  });

  it('is bounded, even when no line ends', () => {
    const { lines, output } = collect();
    for (let i = 0; i < 100; i += 1) output.take('x'.repeat(1_000));
    output.take('\n');
    expect(lines.map((line) => line.length)).toEqual([500]);
  });

  it('keeps its last lines to explain a crash', () => {
    const { output } = collect();
    output.take(
      "thread 'main' panicked at lib.rs:91:10:\nfile is not a database\nnote: run with `RUST_BACKTRACE=1`\n",
    );
    expect(output.last()).toBe("thread 'main' panicked at lib.rs:91:10: file is not a database");
  });
});
