import type { ElementType } from '../../tensor/element-types.js';
import type { Port } from './signature.js';
import type { Step, Value } from './sites.js';

/** The conversion of types: `seq(float32)` becomes `seq(float16)`. */
export interface Narrowing {
  readonly to: ElementType;
  /** The new type of a floating-point value; undefined for other values. */
  readonly of: (value: Value | undefined) => string | undefined;
}

export function narrowingTo(to: ElementType, doubles = false): Narrowing {
  const floats = doubles ? /float(32|64)\b/ : /\bfloat32\b/;
  return { to, of: (value) => (value?.type?.match(floats) ? value.type.replace(floats, to) : undefined) };
}

export const isTensor = ({ type, element }: Value): boolean => type === element;

/** The element types of a node's inputs and outputs; `undefined` accepts any type. */
export interface Elements {
  readonly inputs: readonly (ElementType | undefined)[];
  readonly outputs: readonly (ElementType | undefined)[];
}

/** The current types of a node. */
export const ownElements = ({ inputs, outputs }: Step): Elements => ({
  inputs: inputs.map((value) => value?.element),
  outputs: outputs.map((value) => value?.element),
});

/** The types of a node after conversion, as far as its operator supports them. */
export function narrowElements(step: Step, narrowing: Narrowing): Elements {
  const { signature } = step;
  if (!signature) return ownElements(step);
  const becomes = (value: Value | undefined, port: Port | undefined) => {
    const type = narrowing.of(value);
    return type && port?.types.has(type) ? narrowing.to : value?.element;
  };
  const inputs = step.inputs.map((value, i) => becomes(value, signature.input(i)));
  const outputs = step.outputs.map((value, i) => {
    const port = signature.output(i);
    return follows(step, inputs, port, narrowing) ? becomes(value, port) : value?.element;
  });
  return {
    inputs: inputs.map((element, i) => (isIndifferent(step, i, outputs, narrowing) ? undefined : element)),
    outputs,
  };
}

/** Whether an output can be half precision because of the node's inputs or its type attribute. */
function follows(step: Step, inputs: Elements['inputs'], port: Port | undefined, narrowing: Narrowing): boolean {
  const { signature, bodies } = step;
  const isNarrow = (i: number) => inputs[i] === narrowing.to;
  const floats = [...step.inputs.keys()].filter((i) => narrowing.of(step.inputs[i]));
  const bound = [...step.inputs.keys()].find((i) => step.inputs[i] && signature?.input(i)?.variable === port?.variable);
  if (bodies.length > 0) return true;
  if (bound !== undefined && !port?.mixed) return isNarrow(bound);
  const typed = signature?.typed;
  if (typed === 'stash_type') return false;
  if (typed?.isSaid || step.node.attribute.some(({ name }) => name === typed?.name))
    return step.node.opType !== 'Constant';
  return floats.length > 0 && floats.every(isNarrow);
}

/**
 * Whether the node reads a single float, and its output type does not depend on the input type: Shape, Cast, ArgMax.
 */
function isIndifferent(step: Step, input: number, outputs: Elements['outputs'], { of }: Narrowing): boolean {
  const { signature, bodies } = step;
  const port = signature?.input(input);
  const floats = step.inputs.filter((value) => of(value));
  const value = step.inputs[input] as Value;
  if (floats.length !== 1 || floats[0] !== value || !isTensor(value) || bodies.length > 0) return false;
  if (!port?.types.has(of(value) as string)) return false;
  const isApart = (i: number) => signature?.typed && signature.output(i)?.variable !== port.variable;
  return outputs.every((_, i) => !of(step.outputs[i]) || isApart(i));
}
