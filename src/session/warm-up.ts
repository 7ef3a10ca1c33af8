import { SardonyxError } from '../base/errors.js';
import { given } from '../base/given.js';
import type { ValueMetadata } from '../graph/metadata.js';
import { formatType } from '../graph/types.js';
import { emptyData } from '../tensor/empty-data.js';
import type { HostValue } from '../tensor/tensor-value.js';
import type { Feeds } from './feeds.js';

/** Sizes of dynamic dimensions by name, shapes of inputs, or whole feeds, by input name. */
export type WarmUp = Readonly<Record<string, number | readonly number[] | HostValue>>;

type TensorMetadata = Extract<ValueMetadata, { isTensor: true }>;

const isShape = (given: unknown): given is readonly number[] =>
  Array.isArray(given) && given.every((size) => typeof size === 'number');

/**
 * A feed for every input without a default: the given one, or zeros or empty strings in the declared shape.
 * @throws SardonyxError INVALID_ARGUMENT if sizes are unknown, an input that is not a tensor is absent, or a name is unknown
 */
export function warmFeeds(inputs: readonly ValueMetadata[], warmUp: WarmUp): Feeds {
  checkNames(inputs, warmUp);
  const feeds: Record<string, HostValue> = Object.create(null);
  for (const input of inputs) {
    const said = given(warmUp, input.name);
    if (input.isTensor && (said === undefined ? !input.hasDefault : isShape(said)))
      feeds[input.name] = zeros(input, (said as readonly number[] | undefined) ?? sizesOf(input, warmUp));
    else if (said !== undefined) feeds[input.name] = said as HostValue;
    else if (!input.hasDefault)
      throw invalid(`the input ${described(input)} is not a tensor: pass a feed, warmUp({ "${input.name}": … })`);
  }
  return feeds;
}

const zeros = ({ type }: TensorMetadata, dims: readonly number[]): HostValue => ({
  type,
  dims,
  data: emptyData(type, dims),
});

function sizesOf(input: TensorMetadata, warmUp: WarmUp): number[] {
  return input.shape.map((dim) => {
    const size = typeof dim === 'number' ? dim : given(warmUp, dim);
    if (Number.isInteger(size) && (size as number) >= 0) return size as number;
    if (size !== undefined) throw invalid(`the size of "${dim}" must be a whole number, not ${size}`);
    throw invalid(
      `the input ${described(input)} has a dynamic dimension: pass a size, warmUp({ "${dim}": 1 }), or a shape, warmUp({ "${input.name}": [1, …] })`,
    );
  });
}

function checkNames(inputs: readonly ValueMetadata[], warmUp: WarmUp): void {
  const symbols = inputs.flatMap((input) =>
    input.isTensor ? input.shape.filter((dim) => typeof dim === 'string') : [],
  );
  const known = new Set([...symbols, ...inputs.map(({ name }) => name)]);
  for (const name in warmUp)
    if (!known.has(name))
      throw invalid(
        `there is no input or dynamic dimension "${name}"; the inputs are ${inputs.map(described).join(', ')}`,
      );
}

const described = (input: ValueMetadata): string =>
  `"${input.name}" ${input.isTensor ? `${input.type}[${input.shape}]` : formatType(input.valueType)}`;

const invalid = (message: string) => new SardonyxError('INVALID_ARGUMENT', message);
