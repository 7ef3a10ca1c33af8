import type { Graph, Value } from '../graph/graph.js';
import { type Dim, dimOf } from '../graph/types.js';
import type { Feeds } from '../session/feeds.js';
import { type HostValue, isTensorValue } from '../tensor/tensor-value.js';
import { plural } from './quantities.js';

const dimsOf = ({ type }: Value): Dim[] => (type?.kind === 'tensor' ? (type.dims ?? []).map(dimOf) : []);

/** Whether `--dim` can set a dimension: some have no name in the model. */
export const isNamed = (dim: number | string): dim is string => typeof dim === 'string' && !/^(\?|$)/.test(dim);

/** Takes sizes of dynamic dimensions from inputs whose shapes are known, unless they are set already. */
export function bindSizes(sizes: Map<string, number>, input: Value, dims: readonly number[]): void {
  const known = dimsOf(input);
  if (known.length !== dims.length) return;
  for (const [i, dim] of known.entries()) if (isNamed(dim) && !sizes.has(dim)) sizes.set(dim, dims[i] as number);
}

/** An input of a run, for `--json`. */
export interface InputFacts {
  readonly name: string;
  readonly type: string | undefined;
  readonly dims: readonly number[] | undefined;
  readonly generated: boolean;
}

export const factsOf = (feeds: Feeds, generated: ReadonlySet<string>): InputFacts[] =>
  Object.entries(feeds as Readonly<Record<string, HostValue>>).map(([name, value]) => {
    const { type, dims } = isTensorValue(value) ? value : { type: undefined, dims: undefined };
    return { name, type, dims, generated: generated.has(name) };
  });

/** `inputs: input_ids int64[1, 128] (generated)` */
export const describeInputs = (inputs: readonly InputFacts[]): string =>
  `inputs: ${inputs.map(describeInput).join(', ')}`;

const describeInput = ({ name, type, dims, generated }: InputFacts): string =>
  [name, type && `${type}[${dims?.join(', ')}]`, generated && '(generated)'].filter(Boolean).join(' ');

/** Names of batch dimensions. 1 is a realistic size for them. */
const BATCH = /^(n|b|bs)$|batch/i;
/** Names of dimensions that are not a batch, even in the first position. */
const LONG = /seq|len|time|token|frame|height|width/i;
const IMAGE_SIDE = /^h$|^w$|height|width/i;

const realisticSize = (symbol: string): number => (IMAGE_SIDE.test(symbol) ? 224 : 128);

/** Notes about dynamic dimensions of size 1 for which that is unlikely in real use. */
export function sizeNotes(
  { inputs }: Graph,
  generated: ReadonlySet<string>,
  sizes: ReadonlyMap<string, number>,
): string[] {
  const made = inputs.filter(({ name }) => generated.has(name));
  const isTelling = (dim: string, at: number) => !BATCH.test(dim) && (at > 0 || LONG.test(dim)) && !sizes.has(dim);
  const symbols = new Set(made.flatMap((input) => dimsOf(input).filter(isNamed).filter(isTelling)));
  const unnamed = made.filter((input) => dimsOf(input).some((dim, at) => at > 0 && isUnnamed(dim)));
  return [...(symbols.size > 0 ? [noteOfSymbols([...symbols])] : []), ...unnamed.map(noteOfShape)];
}

const isUnnamed = (dim: number | string): boolean => typeof dim === 'string' && !isNamed(dim);

function noteOfSymbols(symbols: readonly string[]): string {
  const names = symbols.map((symbol) => `"${symbol}"`).join(', ');
  const options = symbols.map((symbol) => `--dim ${symbol}=${realisticSize(symbol)}`).join(' ');
  const [noun, size] = symbols.length === 1 ? ['dimension', 'a realistic size'] : ['dimensions', 'realistic sizes'];
  return `note: dynamic ${noun} ${names} set to 1; pass ${options} for ${size}`;
}

function noteOfShape(input: Value): string {
  const dims = dimsOf(input);
  const open = dims.filter(isUnnamed).length;
  const shape = dims.map((dim, at) => (typeof dim === 'number' ? dim : at > 0 ? 128 : 1)).join('x');
  return `note: ${plural(open, 'dynamic dimension')} of "${input.name}" set to 1; pass --shape ${input.name}=${shape} for a realistic size`;
}
