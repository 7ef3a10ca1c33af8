import type { Attribute, Node, Value } from '../graph/graph.js';
import { isCommutative } from '../primitives/elementwise.js';
import type { ElementType } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import type { GraphEditor } from './editor.js';

/** Bindings of a pattern: values and nodes by name, and all nodes that it covers, the root first. */
export class Match {
  readonly values = new Map<string, Value>();
  readonly named = new Map<string, Node>();
  readonly nodes: Node[] = [];

  constructor(readonly editor: GraphEditor) {}

  value(name: string): Value {
    return this.values.get(name) ?? missing(name);
  }

  node(name: string): Node {
    return this.named.get(name) ?? missing(name);
  }

  constant(name: string): TensorValue {
    return this.editor.facts.get(this.value(name))?.contents ?? missing(name);
  }

  /** The single element of the constant `name`. */
  number(name: string): number {
    return numbersOf(this.constant(name))[0] as number;
  }

  /** Tries to match; removes new bindings on failure. */
  attempt(way: () => boolean): boolean {
    const [values, named, count] = [this.values.size, this.named.size, this.nodes.length];
    if (way()) return true;
    shorten(this.values, values);
    shorten(this.named, named);
    this.nodes.length = count;
    return false;
  }
}

function missing(name: string): never {
  throw new Error(`the pattern binds no "${name}"`);
}

/** Removes the newest entries beyond `size`. */
function shorten(map: Map<string, unknown>, size: number): void {
  if (map.size > size) for (const key of [...map.keys()].slice(size)) map.delete(key);
}

/** Matches a value with the nodes that compute it, and records bindings. */
export type Pattern = (value: Value | null, match: Match) => boolean;

/** Matches any value. A second value of the same name must be the same one. */
export const any =
  (name: string): Pattern =>
  (value, match) => {
    if (!value) return false;
    const bound = match.values.get(name);
    if (bound) return bound === value;
    match.values.set(name, value);
    return true;
  };

/** Matches `pattern`, and binds the value to a name. */
export const bind =
  (name: string, pattern: Pattern): Pattern =>
  (value, match) =>
    any(name)(value, match) && pattern(value, match);

/** Matches a value with known contents. */
export const constant =
  (name: string): Pattern =>
  (value, match) =>
    value !== null && match.editor.facts.get(value)?.contents !== undefined && any(name)(value, match);

/** Relative error of constants such as √2 in a file: that of their type, plus digits that exporters omit. */
const ROUNDED: Partial<Record<ElementType, number>> = { float64: 2 ** -50, float16: 2 ** -10, bfloat16: 2 ** -7 };

/** Whether `found` is `expected` within the precision of the type. */
export const isNear = (type: ElementType, found: number, expected: number): boolean =>
  Math.abs(found - expected) <= (ROUNDED[type] ?? 2 ** -20) * Math.abs(expected);

/** Matches a constant of one element, near `expected` if that is given. */
export const scalar =
  (name: string, expected?: number): Pattern =>
  (value, match) => {
    const contents = value && match.editor.facts.get(value)?.contents;
    if (!contents || elementCount(contents.dims) !== 1 || contents.type === 'string') return false;
    const near = expected === undefined || isNear(contents.type, numbersOf(contents)[0] as number, expected);
    return near && any(name)(value, match);
  };

/** Matches the first pattern that fits. */
export const either =
  (...patterns: readonly Pattern[]): Pattern =>
  (value, match) =>
    patterns.some((pattern) => match.attempt(() => pattern(value, match)));

export interface OperatorPattern {
  /** Name that the node is bound to. */
  readonly as?: string;
  /** A condition on the node's attributes. */
  readonly where?: (attributes: Readonly<Record<string, Attribute>>, match: Match, node: Node) => boolean;
  /** The node stays, because other nodes may read its result. */
  readonly shared?: boolean;
}

/** Matches a node of operator `Name` or `domain:Name` with these inputs; further inputs must be absent. */
export const op =
  (operator: string | readonly string[], inputs: readonly (Pattern | null)[], options: OperatorPattern = {}): Pattern =>
  (value, match) => {
    const node = value && match.editor.producerOf(value);
    return node ? matchNode(node, operator, inputs, options, match) : false;
  };

export function matchNode(
  node: Node,
  operator: string | readonly string[],
  inputs: readonly (Pattern | null)[],
  { as, where, shared }: OperatorPattern,
  match: Match,
): boolean {
  if (![operator].flat().some((name) => nameOf(name) === `${node.domain}:${node.op}`)) return false;
  if (where && !where(node.attributes, match, node)) return false;
  if (!shared) match.nodes.push(node);
  if (as) match.named.set(as, node);
  if (match.attempt(() => matchInputs(node, inputs, match))) return true;
  if (inputs.length !== 2 || !isCommutative(match.editor.viewOf(node))) return false;
  return match.attempt(() => matchInputs(node, inputs.toReversed(), match));
}

const nameOf = (operator: string) => (operator.includes(':') ? operator : `:${operator}`);

function matchInputs(node: Node, inputs: readonly (Pattern | null)[], match: Match): boolean {
  if (node.inputs.some((value, i) => value && i >= inputs.length)) return false;
  return inputs.every((pattern, i) => (pattern ? pattern(node.inputs[i] ?? null, match) : !node.inputs[i]));
}
