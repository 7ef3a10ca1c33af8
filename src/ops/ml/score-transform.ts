import { string } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { sameAsInput } from '../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { transformOf, transformRow } from './post-transform.js';

/** Transforms for which ONNX has no operator, over the rows of X [rows, columns]. */
export const scoreTransform = defineOp({
  domain: 'sardonyx',
  name: 'ScoreTransform',
  signature: 'X: T -> Y: T',
  types: { T: FLOATS },
  attributes: { transform: string.required },
  infer: sameAsInput,
  evaluate(c) {
    const { type, dims } = c.tensor(0);
    const x = Array.from(numbersOf(c.tensor(0)));
    const columns = dims[1] as number;
    const transform = transformOf(c, c.attributes.transform);
    const rows = Array.from({ length: dims[0] as number }, (_, i) => x.slice(i * columns, (i + 1) * columns));
    return [
      tensorOf(
        type,
        dims,
        rows.flatMap((row) => transformRow(row, transform)),
      ),
    ];
  },
});
