import { stringAttribute } from '../../../graph/attributes.js';
import { multiply } from '../../../graph/sizes.js';
import { ints, oneOf } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { dimsOfRank, like } from '../../../schema/shapes.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { NCHWC } from './block-size.js';

/** Resize by integer factors. */
export const nchwcUpsample = defineOp({
  domain: NCHWC,
  name: 'Upsample',
  signature: 'X: T -> Y: T',
  types: { T: ['float32'] },
  attributes: {
    scales: ints.required,
    mode: oneOf('nearest', 'linear'),
    coordinate_transformation_mode: oneOf('asymmetric', 'align_corners', 'half_pixel'),
  },
  infer(c) {
    const dims = dimsOfRank(c, 0, 4);
    const { scales } = c.attributes;
    if (scales.length !== 4 || scales.some((scale) => scale < 1) || scales[0] !== 1 || scales[1] !== 1)
      c.fail('INVALID_ATTRIBUTE', `scales [${scales}] must be 1, 1 and two numbers of at least 1`);
    return [
      like(
        c,
        0,
        dims?.map((dim, axis) => multiply(dim, scales[axis] ?? 1)),
      ),
    ];
  },
  decompose(c) {
    const { scales, mode, coordinate_transformation_mode } = c.attributes;
    return c.emit('Resize', [c.input(0), null, c.constant(tensorOf('float32', [4], scales))], {
      mode: stringAttribute(mode),
      coordinate_transformation_mode: stringAttribute(coordinate_transformation_mode),
      nearest_mode: stringAttribute('floor'),
    });
  },
});
