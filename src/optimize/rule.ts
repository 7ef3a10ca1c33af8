import type { Attribute, Attributes, Node, Value } from '../graph/graph.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import type { GraphEditor } from './editor.js';
import { Match, matchNode, type OperatorPattern, type Pattern } from './pattern.js';

/** Creates the nodes of a rewrite. */
export interface Builder {
  emit(
    operator: string,
    inputs: readonly (Value | null)[],
    attributes?: Record<string, Attribute>,
    outputs?: number,
  ): Value[];
  /** Repeats the node, in its own opset version, with other inputs. */
  repeat(node: Node, inputs: readonly (Value | null)[], attributes?: Attributes): Value[];
  /** Adds existing nodes. */
  adopt(nodes: readonly Node[]): void;
  constant(value: TensorValue): Value;
}

/** A rule's result for one node: the values that replace its outputs, and those of nodes `beside` it, or why the rule does not apply. */
export type Proposal =
  | { readonly replaces: readonly Value[]; readonly covers: readonly Node[]; readonly beside?: readonly Node[] }
  | { readonly refused: string }
  | undefined;

/**
 * A rewrite of nodes that end in one node. The engine ensures that covered values have no other readers, that types and shapes stay, and
 * that rewriting terminates.
 */
export interface Rule {
  readonly name: string;
  /** Operators that the rule applies to, `Name` or `domain:Name`. */
  readonly roots: readonly string[];
  propose(root: Node, editor: GraphEditor, build: Builder): Proposal;
}

interface PatternRule extends OperatorPattern {
  readonly name: string;
  readonly root: string | readonly string[];
  readonly inputs: readonly (Pattern | null)[];
  /** A reason why the match must not be rewritten. */
  readonly guard?: (match: Match) => string | undefined;
  readonly build: (match: Match, build: Builder) => readonly Value[];
}

/** A rule that replaces the match of a pattern. */
export function rule({ name, root, inputs, guard, build, ...options }: PatternRule): Rule {
  const roots = [root].flat();
  return {
    name,
    roots,
    propose(node, editor, builder) {
      const match = new Match(editor);
      if (!matchNode(node, roots, inputs, { as: 'root', ...options }, match)) return undefined;
      const refused = guard?.(match);
      return refused ? { refused } : { replaces: build(match, builder), covers: match.nodes };
    },
  };
}
