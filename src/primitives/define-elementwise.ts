import type { Expression } from '../graph/expression.js';
import { isKnown, type Size } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import type { AttributeSpecs, AttributeValues } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Operator } from '../schema/definition.js';
import { broadcastInputs } from '../schema/shapes.js';
import type { TypeVariables } from '../schema/signature.js';
import type { ElementType } from '../tensor/element-types.js';
import { elementwise } from './elementwise.js';
import { evaluateExpression, evaluateFormula } from './evaluate-expression.js';
import { givenInputs, registerOf } from './expression.js';

interface ElementwiseDeclaration<S extends AttributeSpecs> {
  readonly domain?: string;
  readonly name: string;
  readonly since?: number;
  readonly signature: string;
  readonly types: TypeVariables;
  readonly halves?: Operator<S>['halves'];
  readonly attributes?: S;
  /** Element type of the result; by default that of input 0. */
  readonly element?: (c: Inference<AttributeValues<S>>) => ElementType;
  /** Dims of the result; by default those that the inputs broadcast to. */
  readonly dims?: (c: Inference<AttributeValues<S>>) => readonly Size[] | undefined;
  /** Undefined for types that have no kernel. */
  readonly expression: (c: Inference<AttributeValues<S>>) => Expression | undefined;
  /** The same on elements as stored, for types that no register holds. */
  readonly formula?: (...elements: never[]) => unknown;
  readonly sizes?: (c: Inference<AttributeValues<S>>) => readonly Size[] | undefined;
  readonly decompose?: Operator<S>['decompose'];
}

/** Declares an operator that computes each element of its result from the elements at the same position of its inputs. */
export function defineElementwise<const S extends AttributeSpecs = Record<never, never>>(
  declaration: ElementwiseDeclaration<S>,
): Operator<S> {
  const elementOf = declaration.element ?? ((c: Inference<AttributeValues<S>>) => c.element(0));
  const dimsOf = declaration.dims ?? ((c: Inference<AttributeValues<S>>) => broadcastInputs(c, givenInputs(c)));
  const { expression: _, ...rest } = declaration;
  return defineOp<S>({
    ...rest,
    computes: by(elementwise, declaration.expression),
    guarded: true,
    infer: (c) => [tensorType(elementOf(c), dimsOf(c))],
    evaluate(c) {
      const dims = dimsOf(c);
      if (!isKnown(dims)) return c.fail('INTERNAL', `runs while its result [${dims}] is open`);
      const expression = declaration.expression(c);
      const inputs = givenInputs(c).map((i) => c.tensor(i));
      const { formula } = declaration;
      if (!expression && formula) return [evaluateFormula(formula, inputs, elementOf(c), dims)];
      if (!expression) return c.fail('UNSUPPORTED_TYPE', `cannot run on ${c.element(0)}`);
      return [evaluateExpression(expression, inputs, elementOf(c), dims)];
    },
  });
}

/** The register type of input `i`. */
export const registerFor = (c: Inference<unknown>, i = 0) => registerOf(c.element(i));
