import { existsSync } from 'node:fs';
import { SardonyxError } from '../base/errors.js';
import type { Graph, Value } from '../graph/graph.js';
import { inputMetadataOf } from '../graph/metadata.js';
import { formatType } from '../graph/types.js';
import { decodeBytes } from '../image/decode.js';
import { FORMATS } from '../image/formats/decoders.js';
import type { Feeds } from '../session/feeds.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { generatedInput, randomNumbers } from '../tools/generated-input.js';
import { concreteDims } from '../tools/inspect/concrete-dims.js';
import { isNpy, valueIn } from '../tools/read-value-file.js';
import { type ImageOptions, imageInput, isImage } from './image-input.js';
import { type Io, STANDARD } from './io.js';
import { type Assignment, splitByName } from './option-values.js';
import { readBytes } from './read-file.js';
import { concerning, UsageError } from './usage-error.js';

/** What the user says of the inputs; whatever is left open is generated. */
export interface InputChoices {
  /** `NAME=FILE`, or the file of a model's only input. */
  readonly files: readonly string[];
  readonly shapes: readonly Assignment<readonly number[]>[];
  /** Sizes of symbolic dimensions; 1 for those not named. */
  readonly dims: readonly Assignment<number>[];
  readonly seed: number;
  readonly image: ImageOptions;
}

/** Feeds, and which options gave them. */
export interface Inputs {
  readonly feeds: Feeds;
  /** Options as they were typed, by the name of the input. */
  readonly origins: ReadonlyMap<string, string>;
}

/** The inputs that have no default. */
export const openInputs = ({ inputs }: Graph): Value[] => inputs.filter(({ constant }) => !constant);

/** A feed for every input: from its file, or generated. */
export async function makeInputs(io: Io, graph: Graph, choices: InputChoices): Promise<Inputs> {
  const files = new Map<Value, string>();
  const shapes = new Map<Value, readonly number[]>();
  const origins = new Map<string, string>();
  const give = <T>(to: Map<Value, T>, input: Value, value: T, option: string) => {
    if (to.has(input)) throw new UsageError(`input "${input.name}" is given twice`);
    to.set(input, value);
    if (!origins.has(input.name) || to === (files as unknown)) origins.set(input.name, option);
  };
  for (const text of choices.files) {
    const option = `--input ${text}`;
    concerning(option, () => give(files, ...fileOf(graph, text), option));
  }
  for (const { text, name, value } of choices.shapes) {
    const option = `--shape ${text}`;
    concerning(option, () => give(shapes, inputNamed(graph, name), value, option));
  }
  const sizes = sizesOf(graph, choices.dims);
  const random = randomNumbers(choices.seed);
  const feeds: Record<string, HostValue> = Object.create(null);
  for (const input of graph.inputs) {
    const file = files.get(input);
    const shape = shapes.get(input);
    if (file !== undefined)
      feeds[input.name] = await concerning(`${origins.get(input.name)}`, () =>
        readInput(io, input, file, choices.image),
      );
    else if (shape || !input.constant) feeds[input.name] = generated(input, shape, sizes, random);
  }
  return { feeds, origins };
}

/** Runs a session; what it refuses of an input names the option that gave it. */
export async function runOn<T>(session: { run(feeds: Feeds): Promise<T> }, { feeds, origins }: Inputs): Promise<T> {
  try {
    return await session.run(feeds);
  } catch (error) {
    const origin = error instanceof SardonyxError && !error.place.node && origins.get(error.place.value ?? '');
    if (!origin) throw error;
    return concerning(origin, () => {
      throw error;
    });
  }
}

async function readInput(io: Io, input: Value, file: string, options: ImageOptions): Promise<HostValue> {
  const isPiped = file === STANDARD;
  const bytes = isPiped ? await io.standardInput(`the input "${input.name}"`) : readBytes(file);
  const name = isPiped ? 'standard input' : file;
  if (isImage(bytes, file)) return imageInput(await decodeBytes(bytes, name), inputMetadataOf(input), options);
  if (!isPiped && !isNpy(bytes) && !/\.(npy|pb)$/i.test(file))
    throw new UsageError(`inputs are .npy and .pb files and pictures (${PICTURES})`);
  return valueIn(bytes, name, input.type?.kind);
}

const PICTURES = FORMATS.map(({ name }) => name).join(', ');

function generated(
  { name, type }: Value,
  shape: readonly number[] | undefined,
  sizes: ReadonlyMap<string, number>,
  random: () => number,
): HostValue {
  if (type?.kind === 'sequence') return [];
  if (type?.kind === 'optional') return null;
  if (type?.kind !== 'tensor' || !(shape ?? type.dims))
    throw new UsageError(`input "${name}" is ${formatType(type)}: give a file (--input) or a shape (--shape) for it`);
  return generatedInput(type.element, shape ?? concreteDims(type.dims ?? [], sizes), random);
}

const listed = (inputs: readonly Value[]): string =>
  inputs.map(({ name, type }) => `${name}: ${formatType(type)}`).join(', ');

/** The input and file that `NAME=FILE` or `FILE` says. */
function fileOf(graph: Graph, text: string): [Value, string] {
  const { name = '', rest } = splitByName(
    text,
    graph.inputs.map((input) => input.name),
  );
  const [, unknown] = name === '' && !existsSync(rest) ? (/^([^=/\\]+)=/.exec(rest) ?? []) : [];
  if (unknown === undefined) return [inputNamed(graph, name), rest];
  throw new UsageError(`${noInput(graph, unknown)}, and there is no file "${rest}"`);
}

/** The input of that name; a model's only one goes by ''. */
function inputNamed(graph: Graph, name: string): Value {
  const open = openInputs(graph);
  if (name === '' && open.length !== 1)
    throw new UsageError(`the model has ${open.length} inputs: say which one, as NAME=VALUE (${listed(open)})`);
  const input = name === '' ? open[0] : graph.inputs.find((candidate) => candidate.name === name);
  if (!input) throw new UsageError(noInput(graph, name));
  return input;
}

const noInput = (graph: Graph, name: string): string =>
  `the model has no input "${name}"; its inputs are ${listed(openInputs(graph))}`;

/** The sizes given for open dimensions, by symbol; refuses symbols that no input has. */
export function sizesOf({ inputs }: Graph, given: readonly Assignment<number>[]): ReadonlyMap<string, number> {
  const symbols = new Set(
    inputs
      .flatMap(({ type }) => (type?.kind === 'tensor' ? (type.dims ?? []) : []))
      .filter((dim) => typeof dim === 'string'),
  );
  const sizes = new Map<string, number>();
  for (const { text, name, value } of given) {
    const open = [...symbols].join(', ') || 'none';
    if (!symbols.has(name))
      throw new UsageError(`--dim ${text}: no input has a dimension "${name}"; open dimensions: ${open}`);
    if (sizes.has(name)) throw new UsageError(`--dim ${text}: the dimension "${name}" is given twice`);
    sizes.set(name, value);
  }
  return sizes;
}
