import { tensorType } from '../../graph/types.js';
import { elementCount, emptyData, type HostValue } from '../../tensor/tensor-value.js';
import { type AttributeSpecs, float, int, ints } from '../attributes.js';
import { defineOp, type Evaluation, type Inference, type Lowering } from '../definition.js';
import { BOOL, FLOATS } from '../element-sets.js';

const FILL_TILE = 65536;

/** The rules of inference: the data pass, and the mask, of type `maskOf`, says that all of them did. */
function passing(since: number, signature: string, attributes: AttributeSpecs, boolMask: boolean) {
  const maskOf = (c: Inference<unknown>) => (boolMask ? 'bool' : c.element(0));
  return defineOp({
    name: 'Dropout',
    since,
    signature,
    types: { T: FLOATS, T1: FLOATS, T2: BOOL },
    attributes,
    planned: [1, 2],
    infer: (c) => [c.type(0), tensorType(maskOf(c), c.dims(0))],
    evaluate(c: Evaluation<unknown>): HostValue[] {
      refuseTraining(c);
      const x = c.tensor(0);
      const mask = emptyData(maskOf(c), x.dims) as Uint8Array;
      return [x, { type: maskOf(c), dims: x.dims, data: mask.fill(1) }];
    },
    lower(c: Lowering<unknown>): 'host' | undefined {
      refuseTraining(c);
      if (c.wanted(1) && !boolMask) return 'host';
      c.alias(0, 0);
      if (!c.wanted(1)) return;
      const count = elementCount(c.shape(0));
      c.launch('fill', { y: c.output(1), count, value: 1 }, Math.ceil(count / FILL_TILE), { writes: [c.output(1)] });
    },
  });
}

function refuseTraining(c: Inference<unknown>): void {
  const rate = c.contents(1)?.data[0];
  if (c.contents(2)?.data[0] && rate !== 0)
    c.fail('INVALID_VALUE', 'training_mode is true; only inference is supported');
}

const ratio = { ratio: float(0.5) };

/** https://onnx.ai/onnx/operators/onnx__Dropout.html */
export const dropout = [
  passing(12, 'data: T, ratio?: T1, training_mode?: T2 -> output: T, mask?: T2', { seed: int() }, true),
  passing(10, 'data: T -> output: T, mask?: T2', ratio, true),
  passing(1, 'data: T -> output: T, mask?: T', { ...ratio, is_test: int(0), consumed_inputs: ints() }, false),
];
