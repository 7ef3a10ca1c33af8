import type { Graph, Node, Value } from '../../../src/graph/graph.js';
import { subgraphs } from '../../../src/graph/walk.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { Replacement, replaceNodes } from './replacement.js';

/** Whose presence makes the weights unsigned, as the scripts of transformers.js decide. */
const UNSIGNED = new Set(['Conv', 'GroupQueryAttention', 'MultiHeadAttention']);

interface Quantized {
  readonly values: Value;
  readonly scale: Value;
  readonly zeroPoint: Value;
}

/** A constant in 8 bits, the same wherever it is used. */
type QuantizeConstant = (value: Value) => Quantized;

/** An activation in 8 bits, made where it is used first. */
type QuantizeActivation = (r: Replacement, value: Value) => Quantized;

type Rule = (node: Node, constant: QuantizeConstant, activation: QuantizeActivation) => readonly Node[] | undefined;

/** 8 bits as onnxruntime's dynamic quantizer writes them, tensors with one scale each: a file named quantized. */
export function inIntegers(graph: Graph): Graph {
  const constant = quantizeConstants(operatorsOf(graph).some((op) => UNSIGNED.has(op)) ? 'uint8' : 'int8');
  return replaceNodes(graph, () => {
    const activation = quantizeActivations();
    return (node) => RULES[node.op]?.(node, constant, activation);
  });
}

const operatorsOf = (graph: Graph): string[] =>
  graph.nodes.flatMap((node) => [node.op, ...subgraphs(node).flatMap(([, inner]) => operatorsOf(inner))]);

const RULES: Readonly<Record<string, Rule>> = {
  MatMul: (node, constant, activation) => {
    const [x, matrix] = node.inputs as [Value, Value];
    if (!matrix.constant) return undefined;
    const r = new Replacement(node.name);
    dequantized(r, 'MatMulInteger', activation(r, x), constant(matrix), {}, node.outputs[0]);
    return r.nodes;
  },
  Gemm: (node, constant, activation) => {
    const [x, matrix, bias] = node.inputs as [Value, Value, Value];
    const r = new Replacement(node.name);
    const product = dequantized(r, 'MatMulInteger', activation(r, x), constant(transposed(matrix)), {});
    r.op('Add', [product, bias], {}, node.outputs[0]);
    return r.nodes;
  },
  Conv: (node, constant, activation) => {
    const [x, kernel, bias] = node.inputs as [Value, Value, Value | undefined];
    const r = new Replacement(node.name);
    const output = node.outputs[0] as Value;
    const sum = dequantized(
      r,
      'ConvInteger',
      activation(r, x),
      constant(kernel),
      node.attributes as never,
      bias ? undefined : output,
    );
    if (!bias?.constant || !kernel.constant) return r.nodes;
    const shape = [1, -1, ...kernel.constant.dims.slice(2).map(() => 1)];
    const dims = r.constant(`${bias.name}_reshape`, {
      type: 'int64',
      dims: [shape.length],
      data: BigInt64Array.from(shape, BigInt),
    });
    r.op('Add', [sum, r.op('Reshape', [bias, dims])], {}, output);
    return r.nodes;
  },
  Gather: (node, constant) => {
    const [table, indices] = node.inputs as [Value, Value];
    if (table.constant?.type !== 'float32') return undefined;
    const r = new Replacement(node.name);
    const { values, scale, zeroPoint } = constant(table);
    const rows = r.op('Gather', [values, indices], node.attributes as never);
    r.op('DequantizeLinear', [rows, scale, zeroPoint], {}, node.outputs[0]);
    return r.nodes;
  },
  LSTM: (node, constant) => {
    const [x, w, recurrence, ...others] = node.inputs as [Value, Value, Value, ...(Value | null)[]];
    const r = new Replacement(node.name);
    const [quantizedW, quantizedR] = [constant(transposed(w)), constant(transposed(recurrence))];
    const inputs = [x, quantizedW.values, quantizedR.values, ...others];
    while (inputs.length < 8) inputs.push(null);
    for (const { scale, zeroPoint } of [quantizedW, quantizedR])
      inputs.push(perDirection(scale, w), perDirection(zeroPoint, w));
    r.node('com.microsoft:DynamicQuantizeLSTM', inputs, node.attributes as never, node.outputs);
    return r.nodes;
  },
};

/** A product of integers, and what it means in floats. */
function dequantized(
  r: Replacement,
  op: string,
  x: Quantized,
  w: Quantized,
  attributes: Parameters<Replacement['op']>[2],
  output?: Value | null,
): Value {
  const sums = r.op(op, [x.values, w.values, x.zeroPoint, w.zeroPoint], attributes);
  const scale = r.op('Mul', [x.scale, w.scale]);
  return r.op('Mul', [r.op('Cast', [sums], { to: 1 }), scale], {}, output);
}

function quantizeActivations(): QuantizeActivation {
  const known = new Map<Value, Quantized>();
  return (r, value) => {
    const found = known.get(value);
    if (found) return found;
    const [values, scale, zeroPoint] = r.node('DynamicQuantizeLinear', [value], {}, 3) as [Value, Value, Value];
    known.set(value, { values, scale, zeroPoint });
    return { values, scale, zeroPoint };
  };
}

function quantizeConstants(type: 'int8' | 'uint8'): QuantizeConstant {
  const known = new Map<Value, Quantized>();
  return (value) => {
    const made = known.get(value) ?? quantized(value, type);
    known.set(value, made);
    return made;
  };
}

function quantized({ name, constant }: Value, type: 'int8' | 'uint8'): Quantized {
  const { dims, data } = constant as TensorValue<'float32'>;
  let [low, high] = [0, 0];
  for (const x of data) [low, high] = [Math.min(low, x), Math.max(high, x)];
  const scale = type === 'int8' ? Math.max(-low, high) / 127 || 1 : (high - low) / 255 || 1;
  const zero = type === 'int8' ? 0 : Math.round(-low / scale);
  const values = new (type === 'int8' ? Int8Array : Uint8Array)(data.length);
  for (let i = 0; i < data.length; i++) values[i] = Math.round((data[i] as number) / scale) + zero;
  const r = new Replacement(name);
  return {
    values: r.constant(`${name}_quantized`, { type, dims, data: values }),
    scale: r.constant(`${name}_scale`, { type: 'float32', dims: [], data: Float32Array.of(scale) }),
    zeroPoint: r.constant(`${name}_zero_point`, {
      type,
      dims: [],
      data: type === 'int8' ? Int8Array.of(zero) : Uint8Array.of(zero),
    }),
  };
}

/** […, rows, columns] as […, columns, rows]. */
function transposed({ name, constant }: Value): Value {
  const { dims, data } = constant as TensorValue<'float32'>;
  const [rows, columns] = dims.slice(-2) as [number, number];
  const outer = dims.slice(0, -2);
  const turned = new Float32Array(data.length);
  for (let matrix = 0; matrix < data.length; matrix += rows * columns)
    for (let row = 0; row < rows; row++)
      for (let column = 0; column < columns; column++)
        turned[matrix + column * rows + row] = data[matrix + row * columns + column] as number;
  return { name, constant: { type: 'float32', dims: [...outer, columns, rows], data: turned } };
}

/** The one scale or zero point of all directions, once for each. */
function perDirection(value: Value, { constant: weights }: Value): Value {
  const { type, data } = value.constant as TensorValue<'float32'>;
  const directions = weights?.dims[0] as number;
  const repeated = new (data.constructor as typeof Float32Array)(directions).fill(data[0] as number);
  return { ...value, constant: { type, dims: [directions], data: repeated } };
}
