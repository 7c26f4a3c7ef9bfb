// The samples of a page, cut from tests that run: `<!-- sample: name -->` stands before each block.

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The lines between `// sample: name` and `// end`, without their common indent. */
const cutSample = (tests: string, name: string): string => {
  const lines = tests.split('\n');
  const start = lines.findIndex((line) => line.trim() === `// sample: ${name}`);
  const length = lines.slice(start + 1).findIndex((line) => line.trim() === '// end');
  if (start < 0 || length < 0) {
    throw new Error(`No test holds the sample "${name}": put it between "// sample: ${name}" and "// end".`);
  }
  const found = lines.slice(start + 1, start + 1 + length);
  const shared = Math.min(...found.filter((line) => line.trim() !== '').map(indentOf));
  return found.map((line) => line.slice(shared)).join('\n');
};

const BLOCK = /<!-- sample: ([\w-]+) -->\n```ts\n[\s\S]*?```/g;

export const renderSamples = (page: string, tests: string): string =>
  page.replace(
    BLOCK,
    (_all, name: string) => `<!-- sample: ${name} -->\n\`\`\`ts\n${cutSample(tests, name)}\n\`\`\``,
  );
