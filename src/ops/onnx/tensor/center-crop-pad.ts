import { isKnown, type Size } from '../../../graph/sizes.js';
import { ints } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY, INDICES } from '../../../schema/element-sets.js';
import { axesOf, like } from '../../../schema/shapes.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { integers } from '../../../tensor/tensor-value.js';

/** https://onnx.ai/onnx/operators/onnx__CenterCropPad.html: a Pad, with negative pads to crop. */
export const centerCropPad = defineOp({
  name: 'CenterCropPad',
  since: 18,
  signature: 'input_data: T, shape: Tind -> output_data: T',
  types: { T: ANY, Tind: INDICES },
  attributes: { axes: ints() },
  planned: [1],
  infer(c) {
    const dims = c.dims(0);
    if (!dims) return [like(c, 0, undefined)];
    const axes = axesOf(c, c.attributes.axes ?? dims.map((_, axis) => axis), dims.length);
    const sizes = c.sizes(1) ?? axes.map(() => c.unknown());
    if (sizes.length !== axes.length)
      c.fail('INVALID_SHAPE', `the shape [${sizes}] must have ${axes.length} sizes, one per axis`);
    return [
      like(
        c,
        0,
        axes.reduce<readonly Size[]>((all, axis, i) => all.with(axis, sizes[i] as Size), dims),
      ),
    ];
  },
  decompose(c) {
    const [dims, shape] = [c.dims(0), c.contents(1)];
    if (!isKnown(dims) || !shape) return undefined;
    const axes = axesOf(c, c.attributes.axes ?? dims.map((_, axis) => axis), dims.length);
    const sizes = integers(shape);
    const added = axes.map((axis, i) => (sizes[i] as number) - (dims[axis] as number));
    const before = added.map((count) => Math.trunc(count / 2));
    const pads = [...before, ...added.map((count, i) => count - (before[i] as number))];
    const list = (values: readonly number[]) => c.constant(tensorOf('int64', [values.length], values));
    return c.emit('Pad', [c.input(0), list(pads), null, list(axes)]);
  },
});
