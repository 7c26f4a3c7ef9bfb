// Finds the promises that tests cite, by reading their source.
import {
  isNode,
  lineOf,
  literalText,
  nodesOf,
  type SourceFile,
  type SyntaxNode,
} from '../../scripts/source/parse.ts';

export interface Citation {
  /** Undefined where the id is not written out at the call. */
  readonly id: string | undefined;
  readonly at: string;
}

const isVerifies = (node: SyntaxNode): boolean =>
  node.type === 'CallExpression' && isNode(node.callee) && node.callee.name === 'verifies';

/** The ids of a call's first argument: a string, or an array of strings. */
const citedIds = (call: SyntaxNode): (string | undefined)[] => {
  const first = (call.arguments as SyntaxNode[])[0];
  if (first?.type !== 'ArrayExpression') return [literalText(first)];
  return (first.elements as unknown[]).map(literalText);
};

export const citationsOf = (file: SourceFile): Citation[] =>
  nodesOf(file.tree)
    .filter(isVerifies)
    .flatMap((call) =>
      citedIds(call).map((id) => ({ id, at: `${file.path}:${lineOf(file.text, call.start)}` })),
    );
