import { isKnown } from '../graph/dims.js';
import type { Facts } from '../graph/facts.js';
import type { Node } from '../graph/graph.js';
import { elementCount } from '../tensor/tensor-value.js';

/** Sizes of a node's inputs and outputs, and its integer attributes. */
interface Sizes {
  input(i: number): readonly number[];
  output(i: number): readonly number[];
  attribute(name: string): number;
}

const perOutput = (weights: number) => (s: Sizes) =>
  elementCount(s.output(0)) * elementCount(s.input(weights).slice(1));
const product = (s: Sizes) => elementCount(s.output(0)) * (s.input(0).at(-1) ?? 1);
const recurrent = (s: Sizes) => {
  const [steps = 1, batch = 1] = s.input(0);
  return steps * batch * (elementCount(s.input(1)) + elementCount(s.input(2)));
};

/** Multiplications with addition that an operator needs by its definition; all other operators count nothing. */
const COUNTS: Record<string, (sizes: Sizes) => number> = {
  Conv: perOutput(1),
  ConvInteger: perOutput(1),
  QLinearConv: perOutput(3),
  ConvTranspose: (s) => elementCount(s.input(0)) * elementCount(s.input(1).slice(1)),
  MatMul: product,
  MatMulInteger: product,
  QLinearMatMul: product,
  Gemm: (s) => elementCount(s.output(0)) * (s.input(0)[s.attribute('transA') ? 0 : 1] ?? 1),
  RNN: recurrent,
  GRU: recurrent,
  LSTM: recurrent,
};

export interface MultiplyAdds {
  readonly total: number;
  /** Nodes that would count, but whose shapes depend on data. */
  readonly unknown: number;
}

export function countMultiplyAdds(nodes: readonly Node[], facts: Facts): MultiplyAdds {
  let total = 0;
  let unknown = 0;
  for (const node of nodes) {
    const count = node.domain === '' ? COUNTS[node.op] : undefined;
    if (!count) continue;
    try {
      total += count(sizesOf(node, facts));
    } catch (error) {
      if (!(error instanceof UnknownSize)) throw error;
      unknown++;
    }
  }
  return { total, unknown };
}

class UnknownSize extends Error {}

function sizesOf(node: Node, facts: Facts): Sizes {
  const dims = (value: Node['inputs'][number] | undefined): readonly number[] => {
    const type = value ? facts.get(value)?.type : undefined;
    if (type?.kind !== 'tensor' || !isKnown(type.dims)) throw new UnknownSize();
    return type.dims;
  };
  return {
    input: (i) => dims(node.inputs[i]),
    output: (i) => dims(node.outputs[i]),
    attribute: (name) => Number(node.attributes[name]?.value ?? 0),
  };
}
