import { account } from '../account.js';
import { onBehalfOf } from '../base/errors.js';
import { sizesOf } from '../graph/facts.js';
import { isKnown } from '../graph/sizes.js';
import type { ValueType } from '../graph/types.js';
import type { Evaluation, Iteration } from '../schema/definition.js';
import type { ElementType } from '../tensor/element-types.js';
import { type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import { NodeView } from './node-view.js';

class EvaluationView extends NodeView implements Evaluation<Record<string, unknown>> {
  #results: (ValueType | null)[] | undefined;

  constructor(
    { node, facts }: NodeView,
    readonly value: (i: number) => HostValue,
    private readonly held: (element: ElementType) => ElementType,
    private readonly declaredOf: (value: TensorValue) => ElementType,
    types?: readonly (ValueType | null)[],
  ) {
    super(node, facts);
    this.#results = types as (ValueType | null)[] | undefined;
  }

  override declared(i: number): ElementType {
    return this.declaredOf(this.tensor(i));
  }

  override hasContents(i: number): boolean {
    return this.contents(i) !== undefined;
  }

  override contents(i: number): TensorValue | undefined {
    const value = this.given(i) ? this.value(i) : undefined;
    return isTensorValue(value) ? value : undefined;
  }

  override sizes(i: number): readonly number[] | undefined {
    const contents = this.contents(i);
    return contents && sizesOf(contents);
  }

  override outputTypes(): (ValueType | null)[] {
    this.#results ??= super.outputTypes();
    return this.#results;
  }

  result(i: number): { element: ElementType; dims: readonly number[] } {
    const type = this.outputTypes()[i];
    if (type?.kind !== 'tensor' || !isKnown(type.dims)) return this.fail('INVALID_TYPE', `its output ${i} is open`);
    return { element: this.held(type.element), dims: type.dims };
  }

  tensor(i: number): TensorValue {
    const value = this.value(i);
    return isTensorValue(value) ? value : this.fail('INVALID_TYPE', `input ${i} must be a tensor`);
  }
}

/** Information about a node's results from outside its rules. */
interface Known {
  readonly types?: readonly (ValueType | null)[];
  readonly held?: (element: ElementType) => ElementType;
  readonly declared?: (value: TensorValue) => ElementType;
}

const asInferred = (element: ElementType): ElementType => element;
const asItIs = ({ type }: TensorValue): ElementType => type;

/**
 * Runs a node in JavaScript, by default on the known contents of its inputs. Contents of planned inputs are checked first, unless the
 * `types` of the results have been inferred from them. `held` maps an inferred element type to that of a primitive's result. `declared`
 * returns the type that the model gives an operand.
 */
export function evaluateOnHost(
  view: NodeView,
  read: (i: number) => HostValue = (i) => view.contents(i) as TensorValue,
  { types, held = asInferred, declared = asItIs }: Known = {},
): HostValue[] {
  const evaluation = new EvaluationView(view, read, held, declared, types);
  return onBehalfOf(view.node, () => {
    const limits = account();
    const known = types ?? (limits || view.operator.planned.length > 0 ? evaluation.outputTypes() : []);
    limits?.demandFor(evaluation, known);
    return (view.operator.evaluate as (c: unknown) => HostValue[])(evaluation);
  });
}

/** Starts a node that runs subgraphs. Errors in each of its steps name the node. */
export const iterateOnHost = (view: NodeView, read: (i: number) => HostValue): Iteration =>
  (view.operator.iterate as (c: unknown) => Iteration)(new EvaluationView(view, read, asInferred, asItIs));
