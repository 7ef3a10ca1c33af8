import { differ } from '../graph/guards.js';
import { formatSize, product } from '../graph/sizes.js';
import { string } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { like } from '../schema/shapes.js';
import { integers, type TensorValue } from '../tensor/tensor-value.js';

/** The message, with `#` replaced by the shortfall of lengths; negative if they are too long. */
export const complaintOf = (message: string, excess: TensorValue): string =>
  message.replace(
    '#',
    integers(excess)
      .map((twice) => -twice / 2)
      .join(),
  );

/**
 * Operand 1, lengths of sequences, if operand 0 is 0: twice the excess of each length over the available one. Otherwise an error; the
 * parameter is its message.
 */
export const checkedLengths: Primitive<string> = {
  name: 'checked-lengths',
  facts: {},
  reference(c, message) {
    const excess = c.tensor(0);
    if (integers(excess).some((twice) => twice !== 0)) c.fail('INVALID_VALUE', complaintOf(message, excess));
    return [c.tensor(1)];
  },
};

/** Checks data at run time that shapes cannot check. */
export const checkedLengthsOperator = defineOp({
  domain: 'sardonyx',
  name: 'CheckedLengths',
  signature: 'excess: int32, lengths: int32 -> checked: int32',
  attributes: { message: string.required },
  guarded: true,
  infer(c) {
    const [excess, lengths] = [c.dims(0), c.dims(1)];
    if (excess && lengths && differ(product(excess), product(lengths)))
      c.fail(
        'INVALID_SHAPE',
        `there are lengths of ${formatSize(product(excess))} sequences; it takes those of ${formatSize(product(lengths))}`,
      );
    return [like(c, 1, lengths)];
  },
  computes: by(checkedLengths, (c: Inference<{ readonly message: string }>) => c.attributes.message),
});
