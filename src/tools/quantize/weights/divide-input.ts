import type { NodeProto } from '../../../../build/onnx.js';
import { withFields } from '../../../model/document/changed.js';
import { nodeOf } from '../nodes.js';
import { add, type Sheet } from '../sheet.js';
import { type FloatType, floatTensor, floatTypeOf } from '../tensor-data.js';
import type { Layer } from './layers.js';
import type { Observed } from './observed.js';
import type { Site } from './sites.js';

/** Divides the input of layers by scales per column. The division is added before the first of them. */
export function divideInput({ inputs, layers }: Observed, scales: Float32Array, sheet: Sheet): void {
  const [name = ''] = inputs;
  const [
    {
      weight,
      owner,
      sites: [first],
    },
  ] = layers as readonly [Layer];
  const [divisors, divided] = [sheet.fresh(`${name}_inverse_scales`), sheet.fresh(`${name}_scaled`)];
  const inverses = scales.map((scale) => 1 / scale);
  add(sheet.constants, owner, floatTensor(divisors, floatTypeOf(weight) as FloatType, [scales.length], inverses));
  for (const { node } of layers.flatMap(({ sites }) => sites)) {
    const nodes = sheet.nodes.get(node) ?? [node];
    sheet.nodes.set(
      node,
      nodes.map((n) => (n.output[0] === node.output[0] ? reading(n, divided) : n)),
    );
  }
  const { node } = first as Site;
  const division = nodeOf('Mul', [name, divisors], [divided], { name: sheet.fresh(`${name}_scaling`) });
  sheet.nodes.set(node, [division, ...(sheet.nodes.get(node) ?? [node])]);
}

const reading = (node: NodeProto, x: string): NodeProto => withFields(node, { input: [x, ...node.input.slice(1)] });
