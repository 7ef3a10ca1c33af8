import type { Expression } from '../graph/expression.js';
import { tensorType } from '../graph/types.js';
import { expression, string } from '../schema/attributes.js';
import { by, defineOp, type Inference } from '../schema/definition.js';
import { ANY, INDICES } from '../schema/element-sets.js';
import { broadcastInputs } from '../schema/shapes.js';
import type { ElementType } from '../tensor/element-types.js';
import { elementwise } from './elementwise.js';
import { givenInputs } from './expression.js';
import { sizesOfExpression } from './sizes-of-expression.js';

/** A chain of elementwise operators in one pass; the inputs' types may differ. */
export const fusedElementwise = defineOp({
  domain: 'sardonyx',
  name: 'Elementwise',
  signature: 'X*: T -> Y: T',
  types: { T: ANY },
  attributes: { expression: expression.required, element: string.required },
  guarded: true,
  infer: (c) => [tensorType(c.attributes.element as ElementType, broadcastInputs(c, givenInputs(c)))],
  sizes: (c) =>
    INDICES.includes(c.attributes.element as ElementType) ? sizesOfExpression(c, c.attributes.expression) : undefined,
  computes: by(elementwise, (c: Inference<{ readonly expression: Expression }>) => c.attributes.expression),
});
