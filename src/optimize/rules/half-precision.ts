import { decompose } from '../../analysis/decompose.js';
import { intOf } from '../../graph/attributes.js';
import type { Node, Value } from '../../graph/graph.js';
import { castTo } from '../../ops/emit.js';
import { isCacheRead } from '../../ops/stored-caches.js';
import { isElementwise } from '../../primitives/elementwise.js';
import { operatorsWith } from '../../schema/registry.js';
import { ELEMENTS, type ElementType } from '../../tensor/element-types.js';
import type { GraphEditor } from '../editor.js';
import type { Builder, Rule } from '../rule.js';
import { MOVES } from './integer-moves.js';
import { contentsOf, tensorTypeOf } from './quantized-values.js';

const HALVES: readonly (ElementType | undefined)[] = ['float16', 'bfloat16'];

const isHalf = (editor: GraphEditor, value: Value | null | undefined): value is Value =>
  HALVES.includes(tensorTypeOf(editor, value)?.element);

/** What a Cast to `element` is of. */
function castOf(node: Node | undefined, element: ElementType): Value | undefined {
  const isCast =
    node?.domain === '' && node.op === 'Cast' && intOf(node.attributes, 'to', 0) === ELEMENTS[element].onnx;
  return isCast ? (node.inputs[0] as Value) : undefined;
}

/** Whether a part of a node widens what that is given. */
function widens(part: Node, { inputs }: Node): boolean {
  const halves = castOf(part, 'float32');
  return halves !== undefined && inputs.includes(halves);
}

/** Whose results jump where what they are given is rounded: they are given halves. */
const JUMPS = new Set(
  `ArgMax ArgMin CastLike Ceil Equal Floor Greater GreaterOrEqual Hardmax IsInf IsNaN Less LessOrEqual Mod NonMaxSuppression
  NonZero QuantizeLinear Round Sign TopK Unique`.split(/\s+/),
);

/** What shows the same elements in another shape or order. */
const VIEWS = new Set('Flatten Reshape Squeeze Transpose Unsqueeze'.split(' '));

/** Halves that nodes made of floats. Those of a Cast that the model has itself are none. */
type Made = WeakSet<Value>;

/** What halves were made of. */
function floatsOf(made: Made, editor: GraphEditor, value: Value | null | undefined): Value | undefined {
  const node = value && made.has(value) ? editor.producerOf(value) : undefined;
  const floats = node?.op === 'Cast' ? node.inputs[0] : undefined;
  return floats && tensorTypeOf(editor, floats)?.element === 'float32' ? floats : undefined;
}

/** Results of a node in floats as those that it had. */
const rounded = (made: Made, results: readonly Value[], { outputs }: Node, editor: GraphEditor, build: Builder) =>
  results.map((result, i) => {
    const output = outputs[i];
    if (!isHalf(editor, output)) return result;
    made.add(output);
    return castTo(build, result, tensorTypeOf(editor, output)?.element as ElementType);
  });

const takesHalves = (editor: GraphEditor, { inputs }: Node): boolean => inputs.some((value) => isHalf(editor, value));

const elementwise = (made: Made): Rule => ({
  name: 'half precision in floats',
  roots: operatorsWith((operator) => !JUMPS.has(operator.name) && operator.name !== 'Cast' && isElementwise(operator)),
  propose(node, editor, build) {
    if (!takesHalves(editor, node)) return undefined;
    const inputs = node.inputs.map((value) => (isHalf(editor, value) ? castTo(build, value, 'float32') : value));
    return { replaces: rounded(made, build.repeat(node, inputs), node, editor, build), covers: [node] };
  },
});

const inParts = (made: Made): Rule => ({
  name: 'half precision in the floats of its parts',
  roots: operatorsWith(
    (operator) => !JUMPS.has(operator.name) && !isElementwise(operator) && operator.decompose !== undefined,
  ),
  propose(node, editor, build) {
    const parts = takesHalves(editor, node) ? decompose(editor.viewOf(node)) : undefined;
    if (!parts?.some((part) => widens(part, node))) return undefined;
    build.adopt(parts);
    for (const output of node.outputs) if (isHalf(editor, output)) made.add(output);
    return { replaces: node.outputs as Value[], covers: [node] };
  },
});

const moved = (made: Made): Rule => ({
  name: 'floats moved in place of halves',
  roots: [...Object.keys(MOVES), 'Shape', 'Size', 'Split'],
  propose(node, editor, build) {
    const values = node.inputs.slice(0, MOVES[node.op] ?? 1);
    const sources = values.map((value) => floatsOf(made, editor, value));
    if (!sources.some((source) => source)) return undefined;
    if (!values.every((value, i) => sources[i] || contentsOf(editor, value))) return undefined;
    const floats = values.map((value, i) => sources[i] ?? castTo(build, value as Value, 'float32'));
    const results = build.repeat(node, [...floats, ...node.inputs.slice(values.length)]);
    return { replaces: rounded(made, results, node, editor, build), covers: [node] };
  },
});

const asTheyWere = (made: Made): Rule => ({
  name: 'floats as they were',
  roots: ['Cast'],
  propose(node, editor) {
    const floats = floatsOf(made, editor, castOf(node, 'float32'));
    return floats && { replaces: [floats], covers: [node] };
  },
});

/** Rules know products and attention by the views that these read. */
const widenedFirst: Rule = {
  name: 'halves widened before they are viewed',
  roots: ['Cast'],
  propose(node, editor, build) {
    const halves = castOf(node, 'float32');
    const view = halves && isHalf(editor, halves) ? editor.producerOf(halves) : undefined;
    if (view?.domain !== '' || !VIEWS.has(view.op)) return undefined;
    const [value, ...others] = view.inputs as [Value, ...Value[]];
    if (contentsOf(editor, value)) return undefined;
    return { replaces: build.repeat(view, [castTo(build, value, 'float32'), ...others]), covers: [node] };
  },
};

/**
 * Half precision computed in floats throughout: what nodes make is rounded where it leaves them for an output or for who takes nothing
 * else, and not in between, which is how onnxruntime's CPU provider computes, too.
 */
export function inFloats(): readonly Rule[] {
  const made: Made = new WeakSet();
  return [elementwise(made), inParts(made), moved(made), asTheyWere(made), widenedFirst];
}

/** Keys or values that are halves before they are widened, and lie as kernels read caches. */
function storedHalves(editor: GraphEditor, value: Value | null | undefined): Value | undefined {
  const halves = value ? castOf(editor.producerOf(value), 'float32') : undefined;
  const type = tensorTypeOf(editor, halves);
  const size = type?.element === 'float16' && type.dims?.length === 4 ? type.dims[3] : undefined;
  return typeof size === 'number' && isCacheRead(size) ? halves : undefined;
}

/** Attention to keys and values that are halves, as caches are, reads them as they are. */
export const attentionToHalves: Rule = {
  name: 'attention to halves',
  roots: ['sardonyx:Attention'],
  propose(node, editor, build) {
    const [q = null, ...others] = node.inputs;
    const [k, v] = others.slice(0, 2).map((value) => storedHalves(editor, value));
    if (!k || !v) return undefined;
    const inputs = [q, k, v, ...others.slice(2)];
    return { replaces: build.emit('sardonyx:CachedAttention', inputs, node.attributes), covers: [node] };
  },
};
