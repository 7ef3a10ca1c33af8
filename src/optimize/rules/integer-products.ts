import { floatOf, intOf } from '../../graph/attributes.js';
import type { Attributes, Node, Value } from '../../graph/graph.js';
import { emitIntegerConv, emitIntegerMatMul, type IntegerOperands } from '../../ops/emit-integers.js';
import { rangeOf } from '../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { elementCount } from '../../tensor/tensor-value.js';
import type { GraphEditor } from '../editor.js';
import type { Builder, Proposal, Rule } from '../rule.js';
import { boundedBy, boundsIn, roundHalfEven } from './integer-bounds.js';
import {
  contentsOf,
  dequantized,
  isNarrow,
  isPerTensor,
  isStep,
  knownFloats,
  type Quantized,
  quantizedBy,
  tensorTypeOf,
} from './quantized-values.js';

/** A product of dequantized integers, as integers alone. */
interface Product {
  readonly x: Quantized;
  readonly w: Quantized;
  readonly bias: Value | null;
  readonly columns: number | undefined;
  /** Number of products in a sum, if known. */
  readonly depth: number | undefined;
  emit(build: Builder, operands: IntegerOperands, attributes: Attributes): Value;
}

/** Whether the weights have one scale, or one per output channel. */
const fits = (w: Quantized, axis: number) => isPerTensor(w) || w.axis === axis;

const sizeOf = (w: Quantized, ...axes: number[]) => {
  const sizes = axes.map((axis) => w.dims[axis]);
  return sizes.every((size) => typeof size === 'number') ? elementCount(sizes) : undefined;
};

function operandsOf(editor: GraphEditor, node: Node): readonly [Quantized, Quantized] | undefined {
  const [x, w] = [dequantized(editor, node.inputs[0]), dequantized(editor, node.inputs[1])];
  return x && w && isNarrow(x) && isNarrow(w) && isPerTensor(x) ? [x, w] : undefined;
}

const PRODUCTS: Readonly<Record<string, (node: Node, x: Quantized, w: Quantized) => Product | undefined>> = {
  Conv(node, x, w) {
    if (!fits(w, 0)) return undefined;
    const emit: Product['emit'] = (build, operands, attributes) =>
      emitIntegerConv(build, w.dims.length, operands, { ...node.attributes, ...attributes });
    const taps = w.dims.map((_, axis) => axis).slice(1);
    return { x, w, bias: node.inputs[2] ?? null, columns: sizeOf(w, 0), depth: sizeOf(w, ...taps), emit };
  },
  Gemm(node, x, w) {
    const plain = floatOf(node.attributes, 'alpha', 1) === 1 && floatOf(node.attributes, 'beta', 1) === 1;
    const axis = intOf(node.attributes, 'transB', 0) ? 0 : 1;
    if (!plain || intOf(node.attributes, 'transA', 0) !== 0 || !fits(w, axis)) return undefined;
    const emit: Product['emit'] = (build, operands, attributes) => {
      const turned = axis === 0 ? (build.emit('Transpose', [operands.w])[0] as Value) : operands.w;
      return emitIntegerMatMul(build, { ...operands, w: turned }, attributes);
    };
    return { x, w, bias: node.inputs[2] ?? null, columns: sizeOf(w, axis), depth: sizeOf(w, 1 - axis), emit };
  },
  MatMul(_, x, w) {
    const axis = w.dims.length - 1;
    if (axis < 1 || !fits(w, axis)) return undefined;
    return { x, w, bias: null, columns: sizeOf(w, axis), depth: sizeOf(w, axis - 1), emit: emitIntegerMatMul };
  },
};

function productOf(editor: GraphEditor, node: Node | undefined): Product | undefined {
  if (node?.domain !== '') return undefined;
  const operands = operandsOf(editor, node);
  return operands && PRODUCTS[node.op]?.(node, ...operands);
}

/** The scale of the sums: one, or one per channel. */
const stepsOf = ({ x, w }: Product) => Float32Array.from(w.scales, (s) => Math.fround((x.scales[0] as number) * s));

const vector = (data: Float32Array) => tensorOf('float32', data.length === 1 ? [] : [data.length], data);

/** The bias as floats per channel; null if there is none, undefined if it is unknown or varies by row. */
function biasOf(editor: GraphEditor, { bias, columns }: Product): Float64Array | null | undefined {
  if (!bias) return null;
  const [floats, dims] = [knownFloats(editor, bias), tensorTypeOf(editor, bias)?.dims];
  if (!floats || columns === undefined) return undefined;
  if (floats.length === columns && dims?.at(-1) === columns) return floats;
  return floats.length === 1 ? new Float64Array(columns).fill(floats[0] as number) : undefined;
}

const operandsIn = ({ x, w }: Product) => ({ x: x.value, w: w.value, xZero: x.zero, wZero: w.zero });

/** Largest distance of a type's integers from their zero points. */
function reachOf(editor: GraphEditor, { element, zero }: Quantized): number {
  const [least, largest] = rangeOf(element);
  const zeros = contentsOf(editor, zero);
  return Math.max(...Array.from(zeros ? numbersOf(zeros) : [0], (z) => Math.max(largest - z, z - least)));
}

/** Whether a sum of products that starts with any of `biases` stays in int32. An unknown depth is assumed to be small. */
function staysInInt32(editor: GraphEditor, { x, w, depth = 0 }: Product, biases: ArrayLike<number>): boolean {
  const room = 2 ** 31 - 1 - depth * reachOf(editor, x) * reachOf(editor, w);
  return room >= 0 && Array.prototype.every.call(biases, (bias) => Math.abs(bias) <= room);
}

const NOT_KNOWN = { refused: 'the bias or its size is not known' };
const NOT_NORMAL = { refused: 'its scales make a step that is no normal float32' };

/** Largest rounding error of a bias, in steps of the result. */
const HALF = 0.5;

/** Integer products: DequantizeLinear → product (→ Relu or Clip) → QuantizeLinear. */
export const requantizedProducts: Rule = {
  name: 'product of integers, requantized',
  roots: ['QuantizeLinear'],
  propose(root, editor, build): Proposal {
    const y = quantizedBy(editor, root);
    const made = boundedBy(editor, root);
    const product = productOf(editor, made?.node);
    if (!made || !y || !product) return undefined;
    if (!isNarrow(y) || !isPerTensor(y)) return { refused: 'the result has not one step of 8 bits' };
    if (!made.bounds) return { refused: 'its bounds are not known' };
    const floats = biasOf(editor, product);
    if (floats === undefined) return NOT_KNOWN;
    const [steps, step] = [stepsOf(product), y.scales[0] as number];
    if (!steps.every(isStep)) return NOT_NORMAL;
    const multipliers = steps.map((s) => s / step);
    if (!multipliers.every(isStep)) return NOT_NORMAL;
    const at = (list: Float32Array, i: number) => list[list.length === 1 ? 0 : i] as number;
    const exact = floats?.map((b, i) => b / at(steps, i));
    const integers = exact?.map(roundHalfEven);
    const isCoarse = exact?.some((b, i) => Math.abs(b - (integers?.[i] as number)) * at(multipliers, i) > HALF);
    if (isCoarse) return { refused: 'its bias is too fine for integers' };
    if (!staysInInt32(editor, product, integers ?? [])) return { refused: 'its sums and bias do not fit in int32' };
    const operands = {
      ...operandsIn(product),
      scale: build.constant(vector(multipliers)),
      bias: integers ? build.constant(tensorOf('int32', [integers.length], integers)) : null,
      yZero: y.zero ?? build.constant(tensorOf('uint8', [], [0])),
    };
    const attributes = boundsIn(editor, y, made.bounds);
    return { replaces: [product.emit(build, operands, attributes)], covers: [root, ...made.covers] };
  },
};

/** Integer inputs and a float result, if nothing quantizes the result. */
export const scaledProducts: Rule = {
  name: 'product of integers in floats',
  roots: Object.keys(PRODUCTS),
  propose(root, editor, build): Proposal {
    const product = productOf(editor, root);
    if (!product) return undefined;
    const floats = biasOf(editor, product);
    if (floats === undefined) return NOT_KNOWN;
    const steps = stepsOf(product);
    if (!steps.every(isStep)) return NOT_NORMAL;
    if (!staysInInt32(editor, product, [])) return { refused: 'its sums do not fit in int32' };
    const bias = floats && build.constant(tensorOf('float32', [floats.length], floats));
    const operands = { ...operandsIn(product), scale: build.constant(vector(steps)), bias };
    return { replaces: [product.emit(build, operands, {})], covers: [root] };
  },
};

/** Whether a factor is one number, or one per channel of the last axis. */
function isFactor(editor: GraphEditor, value: Value, channels: unknown, rank: number): boolean {
  const type = editor.facts.get(value)?.type;
  if (type?.kind !== 'tensor' || !type.dims || type.dims.length > rank) return false;
  const last = type.dims.at(-1);
  return type.dims.slice(0, -1).every((d) => d === 1) && (last === undefined || last === 1 || last === channels);
}

/** DynamicQuantizeLinear → MatMulInteger → Cast → Mul: scales the sums in the product. */
export const dynamicProducts: Rule = {
  name: 'product of integers, scaled',
  roots: ['Mul'],
  propose(root, editor, build): Proposal {
    for (const [cast, scale] of [root.inputs, root.inputs.toReversed()] as [Value, Value][]) {
      const widened = editor.producerOf(cast);
      const node = widened?.op === 'Cast' && widened.inputs[0] ? editor.producerOf(widened.inputs[0]) : undefined;
      if (!widened || node?.op !== 'MatMulInteger') continue;
      const [x, w, xZero = null, wZero = null] = node.inputs as [Value, Value, ...(Value | null)[]];
      const [type, weights] = [editor.facts.get(cast)?.type, editor.facts.get(w)?.type];
      if (type?.kind !== 'tensor' || type.element !== 'float32' || weights?.kind !== 'tensor') continue;
      if (!weights.dims || weights.dims.length < 2) return { refused: 'the weights are no matrix' };
      if (!isFactor(editor, scale, weights.dims.at(-1), type.dims?.length ?? 0))
        return { refused: 'the scale is not one per column' };
      const operands = { x, w, xZero, wZero, scale };
      return { replaces: [emitIntegerMatMul(build, operands)], covers: [root, widened, node] };
    }
    return undefined;
  },
};

/** The same, followed by an Add of one constant per column. */
export const dynamicBias: Rule = {
  name: 'bias into a product of integers',
  roots: ['Add'],
  propose(root, editor, build): Proposal {
    for (const [value, bias] of [root.inputs, root.inputs.toReversed()] as [Value, Value][]) {
      const node = editor.producerOf(value);
      const contents = contentsOf(editor, bias);
      if (node?.domain !== 'sardonyx' || node.op !== 'IntegerMatMul' || !node.inputs[4] || node.inputs[5] || !contents)
        continue;
      const [own, weights] = [editor.facts.get(value)?.type, editor.facts.get(node.inputs[1] as Value)?.type];
      const columns = weights?.kind === 'tensor' ? weights.dims?.at(-1) : undefined;
      const isFloat = own?.kind === 'tensor' && own.element === 'float32';
      if (!isFloat || contents.dims.at(-1) !== columns || contents.dims.slice(0, -1).some((d) => d !== 1)) continue;
      if (contents.dims.length > (own.dims?.length ?? 0)) continue;
      const flat = build.constant(tensorOf('float32', [columns as number], numbersOf(contents)));
      const inputs = Array.from({ length: 6 }, (_, i) => (i === 5 ? flat : (node.inputs[i] ?? null)));
      return { replaces: build.repeat(node, inputs), covers: [root, node] };
    }
    return undefined;
  },
};
