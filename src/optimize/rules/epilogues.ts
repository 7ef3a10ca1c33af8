import { floatAttribute, floatOf, stringAttribute, stringOf } from '../../graph/attributes.js';
import { sameDims } from '../../graph/dims.js';
import type { Attribute, Node, Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import type { ActivationName } from '../../primitives/epilogue.js';
import type { Facts as PrimitiveFacts } from '../../schema/definition.js';
import { operatorOf } from '../../schema/registry.js';
import { numbersOf } from '../../tensor/numbers.js';
import { arrayOf, bytesOf, StoredTensor } from '../../tensor/stored-tensor.js';
import { elementCount, type TensorValue } from '../../tensor/tensor-value.js';
import type { GraphEditor } from '../editor.js';
import type { Builder, Proposal, Rule } from '../rule.js';

const [BIAS, RESIDUAL] = [2, 3];

type Epilogue = NonNullable<PrimitiveFacts<unknown>['epilogue']>;

/** The producer of the value, if it is a `sardonyx` node with one of these epilogues. */
function madeBy(
  epilogues: readonly Epilogue[],
  editor: GraphEditor,
  value: Value | null | undefined,
): Node | undefined {
  const node = value && editor.producerOf(value);
  if (node?.domain !== 'sardonyx') return undefined;
  const { epilogue } = operatorOf(node).computes?.primitive.facts ?? {};
  return epilogue && epilogues.includes(epilogue) ? node : undefined;
}

const activationOf = (node: Node) => stringOf(node.attributes, 'activation', 'None');

/** Repeats the product with other inputs or attributes. */
function again(
  build: Builder,
  node: Node,
  inputs: Readonly<Record<number, Value>>,
  attributes: Record<string, Attribute> = {},
): Value[] {
  const all = Array.from({ length: 4 }, (_, i) => inputs[i] ?? node.inputs[i] ?? null);
  return build.repeat(node, all, { ...node.attributes, ...attributes });
}

const dimsOf = (editor: GraphEditor, value: Value | null | undefined) => {
  const type = value && editor.facts.get(value)?.type;
  return type?.kind === 'tensor' ? type.dims : undefined;
};

/** Size of the result's last axis if it is the product's channels. A matrix times a vector gives rows, and has one channel. */
function channelsOf(editor: GraphEditor, product: Node): Size | undefined {
  const isVector = dimsOf(editor, product.inputs[1])?.length === 1;
  return isVector ? 1 : dimsOf(editor, product.outputs[0])?.at(-1);
}

/** The constant `value` per channel of `product`, if it broadcasts that way. */
function channelVector(editor: GraphEditor, value: Value, product: Node): TensorValue | undefined {
  const dims = dimsOf(editor, product.outputs[0]);
  const constant = editor.facts.get(value)?.contents;
  const channels = channelsOf(editor, product);
  if (!constant || !dims || constant.dims.length > dims.length || typeof channels !== 'number') return undefined;
  if (elementCount(constant.dims) === 1) {
    const x = numbersOf(constant)[0] as number;
    return { type: 'float32', dims: [channels], data: new Float32Array(channels).fill(x) };
  }
  const isVector = constant.dims.at(-1) === channels && constant.dims.slice(0, -1).every((d) => d === 1);
  return isVector ? { type: constant.type, dims: [channels], data: constant.data } : undefined;
}

const combine = (a: TensorValue, b: TensorValue, f: (x: number, y: number) => number): TensorValue => {
  const [x, y] = [numbersOf(a), numbersOf(b)];
  return { type: 'float32', dims: a.dims, data: Float32Array.from(x, (v, i) => f(v, y[i] as number)) };
};

/** The operands of a commutative root in either order, the product first. */
function withProduct(root: Node, editor: GraphEditor): { product: Node; other: Value }[] {
  const [a, b] = root.inputs as [Value, Value];
  return [
    [a, b],
    [b, a],
  ].flatMap(([value, other]) => {
    const product = madeBy(['full'], editor, value);
    return product && other ? [{ product, other }] : [];
  });
}

const bias: Rule = {
  name: 'bias into a product',
  roots: ['Add'],
  propose(root, editor, build): Proposal {
    for (const { product, other } of withProduct(root, editor)) {
      const vector = channelVector(editor, other, product);
      if (!vector) continue;
      if (activationOf(product) !== 'None' || product.inputs[RESIDUAL])
        return { refused: 'the epilogue has gone further' };
      const own = product.inputs[BIAS] && editor.facts.get(product.inputs[BIAS])?.contents;
      if (product.inputs[BIAS] && !own) return { refused: 'there is a bias that is not constant' };
      const sum = own ? combine(vector, own, (x, y) => x + y) : vector;
      return { replaces: again(build, product, { [BIAS]: build.constant(sum) }), covers: [root, product] };
    }
    return undefined;
  },
};

const residual: Rule = {
  name: 'residual into a product',
  roots: ['Add'],
  propose(root, editor, build): Proposal {
    let refused: string | undefined;
    for (const { product, other } of withProduct(root, editor)) {
      const [own, added] = [dimsOf(editor, root.outputs[0]), dimsOf(editor, other)];
      const free = activationOf(product) === 'None' && !product.inputs[RESIDUAL];
      const alike = own && added && sameDims(own, added) && sameDims(own, dimsOf(editor, product.outputs[0]) ?? []);
      if (!free || !alike || editor.facts.get(other)?.contents) refused = 'it has an epilogue, or the dims differ';
      else if (other !== product.outputs[0] && editor.readersOf(product.outputs[0] as Value).size === 1) {
        return { replaces: again(build, product, { [RESIDUAL]: other }), covers: [root, product] };
      }
    }
    return refused ? { refused } : undefined;
  },
};

type Activation = { readonly name: ActivationName; readonly alpha?: number; readonly beta?: number };

/** The epilogue's activation for each operator; undefined if its attributes do not allow it. */
const ACTIVATIONS: Readonly<Record<string, (node: Node, editor: GraphEditor) => Activation | undefined>> = {
  Relu: () => ({ name: 'Clip', alpha: 0, beta: Number.POSITIVE_INFINITY }),
  Clip: clipOf,
  LeakyRelu: (node) => ({ name: 'LeakyRelu', alpha: floatOf(node.attributes, 'alpha', 0.01) }),
  Sigmoid: () => ({ name: 'Sigmoid' }),
  Swish: (node) => (floatOf(node.attributes, 'alpha', 1) === 1 ? { name: 'Silu' } : undefined),
  HardSwish: () => ({ name: 'HardSwish' }),
  HardSigmoid: (node) => ({
    name: 'HardSigmoid',
    alpha: floatOf(node.attributes, 'alpha', 0.2),
    beta: floatOf(node.attributes, 'beta', 0.5),
  }),
  Gelu: (node) => ({ name: stringOf(node.attributes, 'approximate', 'none') === 'tanh' ? 'GeluTanh' : 'GeluErf' }),
  Tanh: () => ({ name: 'Tanh' }),
};

function clipOf(node: Node, editor: GraphEditor): Activation | undefined {
  const bound = (i: number, attribute: string, fallback: number) => {
    const value = node.inputs[i];
    if (!value) return floatOf(node.attributes, attribute, fallback);
    const contents = editor.facts.get(value)?.contents;
    return contents && (numbersOf(contents)[0] as number);
  };
  const alpha = bound(1, 'min', Number.NEGATIVE_INFINITY);
  const beta = bound(2, 'max', Number.POSITIVE_INFINITY);
  return alpha === undefined || beta === undefined ? undefined : { name: 'Clip', alpha, beta };
}

const activation: Rule = {
  name: 'activation into a product or normalization',
  roots: Object.keys(ACTIVATIONS),
  propose(root, editor, build): Proposal {
    const product = madeBy(['full', 'activation'], editor, root.inputs[0]);
    if (!product) return undefined;
    if (activationOf(product) !== 'None') return { refused: 'it has an activation' };
    const chosen = ACTIVATIONS[root.op]?.(root, editor);
    if (!chosen) return { refused: 'its parameters are not constant' };
    const { name, alpha = 0, beta = 0 } = chosen;
    const attributes = {
      activation: stringAttribute(name),
      activation_alpha: floatAttribute(alpha),
      activation_beta: floatAttribute(beta),
    };
    return { replaces: again(build, product, {}, attributes), covers: [root, product] };
  },
};

/** Weights of a convolution or product with each output channel scaled. */
function scaleWeights(weights: TensorValue, factors: TensorValue, channelStride: number): TensorValue {
  const [w, f] = [arrayOf('float32', bytesOf(weights)) as Float32Array, numbersOf(factors)];
  const channels = f.length;
  const data = w.map((x, i) => x * (f[Math.floor(i / channelStride) % channels] as number));
  return new StoredTensor('float32', weights.dims, () => new Uint8Array(data.buffer));
}

/** Distance between the weights of neighboring output channels, in elements. */
function channelStrideOf(editor: GraphEditor, product: Node, weights: TensorValue): number | undefined {
  const view = editor.viewOf(product);
  const { computes } = view.operator;
  const parameters = computes?.parameters(view);
  return parameters && computes?.primitive.facts.channelStride?.(weights.dims, parameters);
}

const scale: Rule = {
  name: 'factor per channel into the weights',
  roots: ['Mul'],
  propose(root, editor, build): Proposal {
    for (const { product, other } of withProduct(root, editor)) {
      const vector = channelVector(editor, other, product);
      const weights = editor.facts.get(product.inputs[1] as Value)?.contents;
      const stride = weights && channelStrideOf(editor, product, weights);
      if (!vector || !weights || stride === undefined) continue;
      if (activationOf(product) !== 'None' || product.inputs[RESIDUAL])
        return { refused: 'the epilogue has gone further' };
      const own = product.inputs[BIAS] && editor.facts.get(product.inputs[BIAS])?.contents;
      if (product.inputs[BIAS] && !own) return { refused: 'there is a bias that is not constant' };
      const inputs: Record<number, Value> = { 1: build.constant(scaleWeights(weights, vector, stride)) };
      if (own) inputs[BIAS] = build.constant(combine(own, vector, (x, y) => x * y));
      return { replaces: again(build, product, inputs), covers: [root, product] };
    }
    return undefined;
  },
};

/** Fuses elementwise operators after a matrix product or convolution into it. */
export const epilogues: readonly Rule[] = [bias, scale, residual, activation];
