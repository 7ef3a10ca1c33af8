import { string } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { like } from '../schema/shapes.js';
import { integers, type TensorValue } from '../tensor/tensor-value.js';

/** What is wrong, `#` being by how much lengths fall short; they exceed what there is where it is negative. */
export const complaintOf = (message: string, excess: TensorValue): string =>
  message.replace(
    '#',
    integers(excess)
      .map((twice) => -twice / 2)
      .join(),
  );

/** Operand 1, lengths of sequences, where operand 0, twice by how much each exceeds what there is, is 0; the parameter is what to say if not. */
export const checkedLengths: Primitive<string> = {
  name: 'checked-lengths',
  facts: {},
  reference(c, message) {
    const excess = c.tensor(0);
    if (integers(excess).some((twice) => twice !== 0)) c.fail('INVALID_VALUE', complaintOf(message, excess));
    return [c.tensor(1)];
  },
};

/** Checks data of a run, which shapes say nothing of. */
export const checkedLengthsOperator = defineOp({
  domain: 'sardonyx',
  name: 'CheckedLengths',
  signature: 'excess: int32, lengths: int32 -> checked: int32',
  attributes: { message: string.required },
  infer: (c) => [like(c, 1, c.dims(1))],
  computes: by(checkedLengths, (c: Inference<{ readonly message: string }>) => c.attributes.message),
});
