import type { Graph, Value } from '../graph/graph.js';
import { formatType } from '../graph/types.js';
import type { Feeds } from '../session/feeds.js';
import type { InferenceSession } from '../session/inference-session.js';
import { metadataOf } from '../session/metadata.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { decodeImage, isImageFile } from './decode-image.js';
import { generatedInput, randomNumbers } from './generated-input.js';
import { type ImageOptions, imageInput } from './image-input.js';
import { readValueFile } from './read-file.js';
import { UsageError } from './usage-error.js';

/** What the user says of the inputs; whatever is left open is generated. */
export interface InputChoices {
  /** Files by input name; '' for a model's only input. */
  readonly files?: ReadonlyMap<string, string> | undefined;
  readonly shapes?: ReadonlyMap<string, readonly number[]> | undefined;
  /** Sizes of symbolic dimensions; 1 for those not named. */
  readonly dims?: ReadonlyMap<string, number> | undefined;
  readonly seed: number;
  readonly image: ImageOptions;
}

/** The inputs that have no default. */
export const openInputs = ({ inputs }: Graph): Value[] => inputs.filter(({ constant }) => !constant);

/** A feed for every input: from its file, or generated. */
export async function makeFeeds(session: InferenceSession, choices: InputChoices): Promise<Feeds> {
  const { graph } = session.model;
  const files = named(graph, choices.files ?? new Map());
  const shapes = named(graph, choices.shapes ?? new Map());
  checkSymbols(graph, choices.dims ?? new Map());
  const random = randomNumbers(choices.seed);
  const feeds: Record<string, HostValue> = {};
  for (const input of graph.inputs) {
    const file = files.get(input.name);
    const shape = shapes.get(input.name);
    if (file !== undefined) feeds[input.name] = await readInput(input, file, choices.image);
    else if (shape || !input.constant) feeds[input.name] = generated(input, shape, choices, random);
  }
  return feeds;
}

async function readInput(input: Value, file: string, options: ImageOptions): Promise<HostValue> {
  if (isImageFile(file)) return imageInput(await decodeImage(file), metadataOf(input), options);
  if (!/\.(npy|pb)$/i.test(file)) throw new UsageError(`"${file}": inputs are .npy, .pb, .png or .jpg files`);
  return readValueFile(file, input.type?.kind);
}

function generated(
  { name, type }: Value,
  shape: readonly number[] | undefined,
  { dims }: InputChoices,
  random: () => number,
): HostValue {
  if (type?.kind === 'sequence') return [];
  if (type?.kind === 'optional') return null;
  if (type?.kind !== 'tensor' || !(shape ?? type.dims))
    throw new UsageError(`input "${name}" is ${formatType(type)}: give a file or a shape for it`);
  const sizes = shape ?? concreteDims(type.dims ?? [], dims);
  return generatedInput(type.element, sizes, random);
}

export const concreteDims = (
  dims: readonly (number | string)[],
  sizes: ReadonlyMap<string, number> = new Map(),
): number[] => dims.map((dim) => (typeof dim === 'number' ? dim : (sizes.get(dim) ?? 1)));

/** Refuses names the graph does not have; the only input may go unnamed. */
function named<T>(graph: Graph, given: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  const open = openInputs(graph);
  const resolved = new Map<string, T>();
  for (const [name, value] of given) {
    if (name === '' && open.length !== 1)
      throw new UsageError(`the model has ${open.length} inputs: say which one, as NAME=VALUE (${listed(open)})`);
    const input = graph.inputs.find((candidate) => candidate.name === (name || open[0]?.name));
    if (!input) throw new UsageError(`the model has no input "${name}"; its inputs are ${listed(open)}`);
    resolved.set(input.name, value);
  }
  return resolved;
}

const listed = (inputs: readonly Value[]): string =>
  inputs.map(({ name, type }) => `${name}: ${formatType(type)}`).join(', ');

export function checkSymbols({ inputs }: Graph, sizes: ReadonlyMap<string, number>): void {
  const symbols = new Set(
    inputs
      .flatMap(({ type }) => (type?.kind === 'tensor' ? (type.dims ?? []) : []))
      .filter((d) => typeof d === 'string'),
  );
  for (const name of sizes.keys()) {
    if (!symbols.has(name))
      throw new UsageError(`no input has a dimension "${name}"; open dimensions: ${[...symbols].join(', ') || 'none'}`);
  }
}
