import { tensorType } from '../../graph/types.js';
import { int, ints, string, strings } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { lookUp, tableOf } from './lookup.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxml_CategoryMapper.html */
export const categoryMapper = defineOp({
  domain: 'ai.onnx.ml',
  name: 'CategoryMapper',
  signature: 'X: T1 -> Y: T2',
  types: { T1: ['string', 'int64'], T2: ['string', 'int64'] },
  attributes: {
    cats_int64s: ints(),
    cats_strings: strings(),
    default_int64: int(-1),
    default_string: string('_Unused'),
  },
  infer: (c) => [tensorType(c.element(0) === 'string' ? 'int64' : 'string', c.dims(0))],
  evaluate(c) {
    const { cats_int64s = [], cats_strings = [], default_int64, default_string } = c.attributes;
    if (cats_int64s.length !== cats_strings.length)
      c.fail(
        'INVALID_ATTRIBUTE',
        `there are ${cats_int64s.length} cats_int64s, but ${cats_strings.length} cats_strings`,
      );
    const numbers = cats_int64s.map(BigInt);
    return c.element(0) === 'string'
      ? [lookUp(c.tensor(0), tableOf(cats_strings, numbers), BigInt(default_int64), 'int64')]
      : [lookUp(c.tensor(0), tableOf(numbers, cats_strings), default_string, 'string')];
  },
});
