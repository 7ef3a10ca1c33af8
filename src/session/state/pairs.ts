import { SardonyxError } from '../../base/errors.js';
import type { Value } from '../../graph/graph.js';
import { presentNames } from '../../graph/present-names.js';
import type { Size } from '../../graph/sizes.js';
import type { TensorType } from '../../graph/types.js';
import type { ElementType } from '../../tensor/element-types.js';

/** An input that the state feeds, and the output that the state takes it from. */
export interface Pair {
  readonly input: string;
  readonly output: string;
  readonly type: TensorType & { readonly dims: readonly Size[] };
  /** The storage type of its rows. */
  readonly stored: ElementType;
}

interface Named {
  readonly inputs: readonly Value[];
  readonly outputs: readonly Value[];
}

/** The inputs that a state feeds and the outputs that it takes, from `given` or by their names. */
export function pairsOf({ inputs, outputs }: Named, given?: Readonly<Record<string, string>>): [Value, Value][] {
  const output = (name: string) => outputs.find((value) => value.name === name);
  if (given)
    return Object.entries(given).map(([input, name]) => [
      inputs.find((value) => value.name === input) ?? refuse('input', input, inputs),
      output(name) ?? refuse('output', name, outputs),
    ]);
  const found = inputs.flatMap((input): [Value, Value][] => {
    const present = presentNames(input.name).map(output).find(Boolean);
    return present ? [[input, present]] : [];
  });
  if (found.length > 0) return found;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `no input "past…" matches an output "present…"; call createState({ pairs: { input: output } }) with names of ${list(inputs)} and ${list(outputs)}`,
  );
}

const list = (values: readonly Value[]) => values.map(({ name }) => `"${name}"`).join(', ');

function refuse(kind: string, name: string, values: readonly Value[]): never {
  throw new SardonyxError('INVALID_ARGUMENT', `"${name}" is not an ${kind}; the ${kind}s are ${list(values)}`);
}
