import { tensorType, type ValueType } from '../../../graph/types.js';
import { view } from '../../../primitives/view.js';
import { type as typeAttribute } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';

/** https://onnx.ai/onnx/operators/onnx__Optional.html */
export const optional = defineOp({
  name: 'Optional',
  since: 15,
  signature: 'input?: V -> output: O',
  types: { V: ANY },
  attributes: { type: typeAttribute() },
  infer(c): ValueType[] {
    const of = c.given(0) ? c.type(0) : c.attributes.type;
    if (of?.kind === 'optional') c.fail('INVALID_TYPE', 'an optional must not contain an optional');
    return of
      ? [{ kind: 'optional', of }]
      : c.fail('INVALID_ATTRIBUTE', 'an empty optional needs the attribute "type"');
  },
  evaluate: (c) => [c.given(0) ? c.value(0) : null],
});

/** Since version 18, the input may be the bare value. Sardonyx does not distinguish it from a full optional. */
function contentType(c: Inference<unknown>): ValueType {
  const type = c.type(0);
  return type.kind === 'optional' ? type.of : type;
}

/** https://onnx.ai/onnx/operators/onnx__OptionalGetElement.html */
export const optionalGetElement = defineOp({
  name: 'OptionalGetElement',
  since: 15,
  signature: 'input: O -> output: V',
  types: { O: ANY },
  computes: by(view, (c) => c.type(0).kind === 'tensor' || undefined),
  infer: (c) => [contentType(c)],
  evaluate(c) {
    const value = c.value(0);
    return [value ?? c.fail('INVALID_VALUE', 'the optional is empty')];
  },
});

const versions = [
  { since: 18, signature: 'input?: O -> output: bool' },
  { since: 15, signature: 'input: O -> output: bool' },
];

/** https://onnx.ai/onnx/operators/onnx__OptionalHasElement.html */
export const optionalHasElement = versions.map(({ since, signature }) =>
  defineOp({
    name: 'OptionalHasElement',
    since,
    signature,
    types: { O: ANY },
    infer: () => [tensorType('bool', [])],
    evaluate: (c) => [{ type: 'bool', dims: [], data: Uint8Array.of(Number(c.given(0) && c.value(0) !== null)) }],
  }),
);
