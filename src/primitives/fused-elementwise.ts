import { expression, string } from '../schema/attributes.js';
import { ANY } from '../schema/element-sets.js';
import type { ElementType } from '../tensor/element-types.js';
import { defineElementwise } from './define-elementwise.js';

/** A chain of elementwise operators in one pass; types may differ from input to input. */
export const fusedElementwise = defineElementwise({
  domain: 'sardonyx',
  name: 'Elementwise',
  signature: 'X*: T -> Y: T',
  types: { T: ANY },
  attributes: { expression: expression.required, element: string.required },
  element: (c) => c.attributes.element as ElementType,
  expression: (c) => c.attributes.expression,
});
