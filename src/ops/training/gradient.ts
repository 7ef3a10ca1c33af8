import { string, strings } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { ANY, FLOATS } from '../../schema/element-sets.js';

/**
 * dy/dx for each of `xs`, where y is a function of xs and zs: https://onnx.ai/onnx/operators/onnx_aionnxpreviewtraining_Gradient.html.
 * Before a model runs, nodes that compute the gradients replace this one.
 */
export const gradient = defineOp({
  domain: 'ai.onnx.preview.training',
  name: 'Gradient',
  signature: 'Inputs*: T1 -> Outputs...: T2',
  types: { T1: ANY, T2: FLOATS },
  attributes: { xs: strings.required, zs: strings(), y: string.required },
  infer: (c) => c.attributes.xs.map((_, i) => c.type(i)),
  decompose: (c) => c.fail('UNSUPPORTED_OPERATOR', 'derivatives inside subgraphs are not supported'),
});
