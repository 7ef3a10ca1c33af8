import { SardonyxError } from '../errors.js';
import type { Node } from '../graph/graph.js';
import { formatType, type ValueType } from '../graph/types.js';
import type { ElementType } from '../tensor/element-types.js';

/**
 * A signature says an operator's inputs and outputs: `X: T, W: T, B?: T -> Y: T`. `?` marks what may be left out,
 * a trailing `...` what may repeat; the word after the colon is a type variable of `types` or an element type, or `seq(…)`, a sequence of such tensors.
 */
export interface Signature {
  readonly inputs: readonly Parameter[];
  readonly outputs: readonly Parameter[];
}

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly optional: boolean;
  readonly variadic: boolean;
}

/** The element types a type variable may stand for. */
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
      const match = /^(\w+)(\?|\.\.\.)?\s*:\s*(\S+)$/.exec(part);
      if (!match) throw new Error(`not a parameter: "${part}"`);
      return {
        name: match[1] as string,
        type: match[3] as string,
        optional: match[2] === '?',
        variadic: match[2] === '...',
      };
    });
}

/** The declared parameter that position `index` fills; undefined beyond the last. */
export function parameterAt(parameters: readonly Parameter[], index: number): Parameter | undefined {
  const last = parameters.at(-1);
  return parameters[index] ?? (last?.variadic ? last : undefined);
}

/** Checks how many inputs and outputs a node has and that none it needs is left out. */
export function checkArity(node: Node, signature: Signature): void {
  const fail = (message: string) => new SardonyxError('INVALID_GRAPH', message, { node: node.name, operator: node.op });
  for (const kind of ['inputs', 'outputs'] as const) {
    const given = node[kind];
    const declared = signature[kind];
    for (let i = 0; i < given.length; i++) {
      if (given[i] && !parameterAt(declared, i)) throw fail(`has ${given.length} ${kind}; it takes ${declared.length}`);
    }
  }
  for (const [i, { name, optional, variadic }] of signature.inputs.entries()) {
    if (!optional && !variadic && !node.inputs[i]) throw fail(`its input ${i} ("${name}") is missing`);
  }
}

/** The element type that a parameter asks about: of a tensor, or of the tensors of a sequence it must be. */
function elementAt(type: ValueType, isSequence: boolean): ElementType | undefined {
  const tensor = isSequence && type.kind === 'sequence' ? type.of : type;
  return tensor.kind === 'tensor' ? tensor.element : undefined;
}

/** Checks the inputs' element types against the type variables; equal variables must be equal types. */
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
    const isSequence = parameter.type.startsWith('seq(');
    if (isSequence && type.kind !== 'sequence') throw fail(`${formatType(type)}; it takes a sequence`);
    const variable = isSequence ? parameter.type.slice(4, -1) : parameter.type;
    const element = elementAt(type, isSequence);
    if (!element) continue;
    const allowed = variables[variable] ?? [variable];
    if (!allowed.includes(element as never)) throw fail(`${formatType(type)}; it takes ${allowed.join(', ')}`);
    const earlier = bound.get(variable);
    if (earlier && earlier !== element && !parameter.variadic)
      throw fail(`${element}, but an earlier input of the same type ${variable} is ${earlier}`);
    bound.set(variable, element);
  }
}
