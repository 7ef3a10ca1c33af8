import { graphTypes } from '../../../analysis/subgraph-types.js';
import type { Graph } from '../../../graph/graph.js';
import type { ValueType } from '../../../graph/types.js';
import { graph } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../../tensor/tensor-value.js';
import { carriedTypes, ofAnySize, stackedType } from './carried-types.js';
import { controlTypes, dimsOfOne } from './loop-control.js';
import { collect, gathered } from './stack.js';

const control = (body: Graph, iteration: number, condition: boolean): TensorValue[] => [
  { type: 'int64', dims: dimsOfOne(body, 0), data: BigInt64Array.of(BigInt(iteration)) },
  { type: 'bool', dims: dimsOfOne(body, 1), data: Uint8Array.of(Number(condition)) },
];

const isTrue = (value: HostValue) => isTensorValue(value) && Boolean(value.data[0]);

interface Attributes {
  readonly body: Graph;
}

const initialTypes = (c: Inference<Attributes>) =>
  Array.from({ length: Math.max(c.inputCount - 2, 0) }, (_, i) => c.type(i + 2));

const resultTypes = (c: Inference<Attributes>, carried: readonly (ValueType | null)[]) =>
  graphTypes(c, c.attributes.body, [...controlTypes(c.attributes.body), ...carried]).slice(1);

/** https://onnx.ai/onnx/operators/onnx__Loop.html */
export const loop = defineOp({
  name: 'Loop',
  signature: 'M?: int64, cond?: bool, v_initial*: V -> v_final_and_scan_outputs...: V',
  types: { V: ANY },
  attributes: { body: graph.required },
  deterministic: false,
  infer(c) {
    const unknown = () => c.unknown();
    const carried = carriedTypes(initialTypes(c), (types) => resultTypes(c, types), unknown);
    const collected = resultTypes(c, carried).slice(carried.length);
    return [
      ...carried.map((type) => ofAnySize(type, unknown)),
      ...collected.map((type) => (type?.kind === 'tensor' ? stackedType(type, unknown) : null)),
    ];
  },
  *iterate(c) {
    const { body } = c.attributes;
    const limit = c.given(0) ? Number(c.tensor(0).data[0]) : Number.POSITIVE_INFINITY;
    const carriedCount = Math.max(c.inputCount - 2, 0);
    let carried = Array.from({ length: carriedCount }, (_, i) => c.value(i + 2));
    const scanned = body.outputs.slice(1 + carriedCount).map((): TensorValue[] => []);
    let goesOn = !c.given(1) || isTrue(c.value(1));
    for (let i = 0; goesOn && i < limit; i++) {
      const [condition = null, ...results] = yield { graph: body, inputs: [...control(body, i, goesOn), ...carried] };
      carried = results.slice(0, carriedCount);
      scanned.forEach((parts, k) => {
        collect(parts, results[carriedCount + k] as TensorValue);
      });
      goesOn = isTrue(condition);
    }
    const types = scanned.some((parts) => parts.length === 0) ? resultTypes(c, initialTypes(c)) : [];
    return [...carried, ...scanned.map((parts, k) => gathered(parts, types[carriedCount + k], 0))];
  },
});
