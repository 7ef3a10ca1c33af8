import type { ValueMetadata } from '../graph/metadata.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { generatedInput, randomNumbers } from './generated-input.js';

/** Sizes of dynamic dimensions, by name. All others are 1. */
export type Sizes = Readonly<Record<string, number>>;

/**
 * Generates random feeds for a session's inputs: floats from 0 to 1, integers 0 and 1, empty sequences, and absent
 * optionals.
 */
export function generatedFeeds(
  inputs: readonly ValueMetadata[],
  sizes: Sizes = {},
  seed = 0,
): Record<string, HostValue> {
  const random = randomNumbers(seed);
  return Object.fromEntries(inputs.map((input) => [input.name, feedFor(input, sizes, random)]));
}

function feedFor(input: ValueMetadata, sizes: Sizes, random: () => number): HostValue {
  if (!input.isTensor) return input.valueType?.kind === 'optional' ? null : [];
  const dims = input.shape.map((size) =>
    typeof size === 'number' ? size : Object.hasOwn(sizes, size) ? (sizes[size] as number) : 1,
  );
  return generatedInput(input.type, dims, random);
}
