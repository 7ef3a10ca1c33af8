import { SardonyxError } from '../base/errors.js';
import type { Node } from '../graph/graph.js';
import { formatType, type ValueType } from '../graph/types.js';
import type { ElementType } from '../tensor/element-types.js';

/**
 * The inputs and outputs of an operator: `X: T, W: T, B?: T -> Y: T`. `?` marks an optional parameter, a trailing `...` a variadic one, `*`
 * a variadic one of several types. The word after the colon is a type variable of `types` or an element type; `seq(T)` is a sequence of
 * tensors.
 */
export interface Signature {
  readonly inputs: readonly Parameter[];
  readonly outputs: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  /** Type of the tensor, or of those in the sequence. */
  readonly type: string;
  readonly sequence: boolean;
  readonly optional: boolean;
  readonly variadic: boolean;
  /** Whether values of a variadic parameter may differ in type. */
  readonly mixed: boolean;
}

/** The element types that a type variable allows. */
export type TypeVariables = Readonly<Record<string, readonly ElementType[]>>;

export function parseSignature(text: string): Signature {
  const [inputs = '', outputs = ''] = text.split('->');
  return { inputs: parseParameters(inputs), outputs: parseParameters(outputs) };
}

function parseParameters(text: string): Parameter[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const match = /^(\w+)(\?|\.\.\.|\*)?\s*:\s*(?:seq\((\w+)\)|(\S+))$/.exec(part);
      if (!match) throw new Error(`not a parameter: "${part}"`);
      return {
        name: match[1] as string,
        type: (match[3] ?? match[4]) as string,
        sequence: match[3] !== undefined,
        optional: match[2] === '?',
        variadic: match[2] === '...' || match[2] === '*',
        mixed: match[2] === '*',
      };
    });
}

/** The declared parameter at position `index`; undefined beyond the last. */
export function parameterAt(parameters: readonly Parameter[], index: number): Parameter | undefined {
  const last = parameters.at(-1);
  return parameters[index] ?? (last?.variadic ? last : undefined);
}

/** Checks the number of inputs and outputs of a node, and that required ones are present. */
export function checkArity(node: Node, signature: Signature): void {
  const fail = (message: string) => new SardonyxError('INVALID_GRAPH', message, { node: node.name, operator: node.op });
  for (const kind of ['inputs', 'outputs'] as const) {
    const given = node[kind];
    const declared = signature[kind];
    for (let i = 0; i < given.length; i++) {
      if (given[i] && !parameterAt(declared, i))
        throw fail(`expected at most ${declared.length} ${kind}, got ${given.length}`);
    }
  }
  for (const [i, { name, optional, variadic }] of signature.inputs.entries()) {
    if (!optional && !variadic && !node.inputs[i]) throw fail(`input ${i} ("${name}") is missing`);
  }
}

/** Checks the inputs' element types against the type variables; equal variables must have equal types. */
export function checkTypes(
  node: Node,
  signature: Signature,
  variables: TypeVariables,
  types: (ValueType | null)[],
): void {
  const bound = new Map<string, ElementType>();
  for (let i = 0; i < types.length; i++) {
    const type = types[i];
    const parameter = parameterAt(signature.inputs, i);
    if (!type || !parameter) continue;
    const fail = (message: string) =>
      new SardonyxError('INVALID_TYPE', `input "${parameter.name}" is ${message}`, {
        node: node.name,
        operator: node.op,
        value: node.inputs[i]?.name ?? '',
      });
    if (parameter.sequence && type.kind !== 'sequence') throw fail(`${formatType(type)}; expected a sequence`);
    const tensor = parameter.sequence && type.kind === 'sequence' ? type.of : type;
    if (tensor.kind !== 'tensor') continue;
    const { element } = tensor;
    const allowed = variables[parameter.type] ?? [parameter.type];
    if (!allowed.includes(element as never)) throw fail(`${formatType(type)}; expected ${allowed.join(', ')}`);
    const earlier = bound.get(parameter.type);
    if (earlier && earlier !== element && !parameter.mixed)
      throw fail(`${element}, but an earlier input of the same type ${parameter.type} is ${earlier}`);
    bound.set(parameter.type, element);
  }
}
