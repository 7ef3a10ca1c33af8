import type { Attribute, Attributes, Node, Value } from '../graph/graph.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import type { GraphEditor } from './editor.js';
import { Match, matchNode, type OperatorPattern, type Pattern } from './pattern.js';

/** Makes the nodes of a rewrite. */
export interface Builder {
  emit(
    operator: string,
    inputs: readonly (Value | null)[],
    attributes?: Record<string, Attribute>,
    outputs?: number,
  ): Value[];
  /** The node once more, in its own version, on other inputs. */
  repeat(node: Node, inputs: readonly (Value | null)[], attributes?: Attributes): Value[];
  /** Takes nodes as they are. */
  adopt(nodes: readonly Node[]): void;
  constant(value: TensorValue): Value;
}

/** What a rule says of one node: the values that replace its outputs, and those of nodes `beside` it, or why it does not apply. */
export type Proposal =
  | { readonly replaces: readonly Value[]; readonly covers: readonly Node[]; readonly beside?: readonly Node[] }
  | { readonly refused: string }
  | undefined;

/**
 * A rewrite of the nodes that end in one node. The engine makes sure that what the rule covers is read nowhere else,
 * that types and shapes stay, and that rewriting ends.
 */
export interface Rule {
  readonly name: string;
  /** Operators that the rule looks at, `Name` or `domain:Name`. */
  readonly roots: readonly string[];
  propose(root: Node, editor: GraphEditor, build: Builder): Proposal;
}

interface PatternRule extends OperatorPattern {
  readonly name: string;
  readonly root: string | readonly string[];
  readonly inputs: readonly (Pattern | null)[];
  /** A reason why the match must stay as it is. */
  readonly guard?: (match: Match) => string | undefined;
  readonly build: (match: Match, build: Builder) => readonly Value[];
}

/** A rule that replaces what a pattern matches. */
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
