import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { sameAsInput } from '../../../schema/shapes.js';
import { rotated } from './rotate.js';

/** https://onnx.ai/onnx/operators/onnx__RotaryEmbedding.html */
export const rotaryEmbedding = defineOp({
  name: 'RotaryEmbedding',
  since: 23,
  signature: 'X: T, cos_cache: T, sin_cache: T, position_ids?: int64 -> Y: T',
  types: { T: FLOATS },
  attributes: { interleaved: int(0), num_heads: int(0), rotary_embedding_dim: int(0) },
  infer: sameAsInput,
  decompose: rotated,
});
