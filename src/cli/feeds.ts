import { existsSync } from 'node:fs';
import { SardonyxError } from '../base/errors.js';
import type { Graph, Value } from '../graph/graph.js';
import { inputMetadataOf } from '../graph/metadata.js';
import { symbolsIn } from '../graph/sizes.js';
import { formatType } from '../graph/types.js';
import { decodeBytes } from '../image/decode.js';
import { FORMATS } from '../image/formats/decoders.js';
import type { Feeds } from '../session/feeds.js';
import { type HostValue, isTensorValue } from '../tensor/tensor-value.js';
import { generatedInput, randomNumbers } from '../tools/generated-input.js';
import { concreteDims } from '../tools/inspect/concrete-dims.js';
import { isNpy, valueIn } from '../tools/read-value-file.js';
import { bindSizes, describeInputs, factsOf, type InputFacts, isNamed, sizeNotes } from './generated-sizes.js';
import { type ImageOptions, imageInput, isImage } from './image-input.js';
import { type Io, STANDARD } from './io.js';
import { type Assignment, splitByName } from './option-values.js';
import { readBytes } from './read-file.js';
import { concerning, UsageError } from './usage-error.js';

/** The inputs that options name; the others are generated. */
export interface InputChoices {
  /** `NAME=FILE`, or the file of a model's only input. */
  readonly files: readonly string[];
  readonly shapes: readonly Assignment<readonly number[]>[];
  /** Sizes of dynamic dimensions, by name. */
  readonly dims: readonly Assignment<number>[];
  readonly seed: number;
  readonly image: ImageOptions;
}

export interface Inputs {
  readonly feeds: Feeds;
  readonly facts: readonly InputFacts[];
  /** The options as typed, by input. */
  readonly origins: ReadonlyMap<string, string>;
}

/** The inputs without a default. */
export const openInputs = ({ inputs }: Graph): Value[] => inputs.filter(({ constant }) => !constant);

/**
 * Makes a feed for every input from its file, or generates it and reports that. Dynamic dimensions have the sizes of `--dim`,
 * then those of the inputs that are given, else 1.
 */
export async function makeInputs(io: Io, graph: Graph, choices: InputChoices): Promise<Inputs> {
  const files = new Map<Value, string>();
  const shapes = new Map<Value, readonly number[]>();
  const origins = new Map<string, string>();
  const give = <T>(to: Map<Value, T>, input: Value, value: T, option: string) => {
    if (to.has(input)) throw new UsageError(`input "${input.name}" is set twice`);
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
  const sizes = new Map(sizesOf(graph, choices.dims));
  const values = new Map<Value, HostValue>();
  for (const [input, file] of files) {
    const option = `${origins.get(input.name)}`;
    const value = await concerning(option, () => readInput(io, input, file, choices.image));
    if (isTensorValue(value)) bindSizes(sizes, input, value.dims);
    values.set(input, value);
  }
  for (const [input, shape] of shapes) bindSizes(sizes, input, shape);
  const random = randomNumbers(choices.seed);
  const feeds: Record<string, HostValue> = Object.create(null);
  const made = new Set<string>();
  for (const input of graph.inputs) {
    const shape = shapes.get(input);
    const value = values.get(input);
    if (value === undefined && input.constant && !shape) continue;
    if (value === undefined) made.add(input.name);
    feeds[input.name] = value === undefined ? generated(input, shape, sizes, random) : value;
  }
  const facts = factsOf(feeds, made);
  if (made.size > 0) io.note(describeInputs(facts));
  const unshaped = new Set([...made].filter((name) => !origins.has(name)));
  for (const note of sizeNotes(graph, unshaped, sizes)) io.note(note);
  return { feeds, facts, origins };
}

/** Runs a session; an error about an input names the option that set it. */
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
    throw new UsageError(`not a .npy file, a .pb file or an image (${IMAGES})`);
  return valueIn(bytes, name, input.type?.kind);
}

const IMAGES = FORMATS.map(({ name }) => name).join(', ');

function generated(
  { name, type }: Value,
  shape: readonly number[] | undefined,
  sizes: ReadonlyMap<string, number>,
  random: () => number,
): HostValue {
  if (type?.kind === 'sequence') return [];
  if (type?.kind === 'optional') return null;
  if (type?.kind !== 'tensor' || !(shape ?? type.dims))
    throw new UsageError(
      `cannot generate input "${name}" of type ${formatType(type)}: pass a file (--input) or a shape (--shape)`,
    );
  return generatedInput(type.element, shape ?? concreteDims(type.dims ?? [], sizes), random);
}

const listed = (inputs: readonly Value[]): string =>
  inputs.map(({ name, type }) => `${name}: ${formatType(type)}`).join(', ');

/** Parses `NAME=FILE` or `FILE`. */
function fileOf(graph: Graph, text: string): [Value, string] {
  const { name = '', rest } = splitByName(
    text,
    graph.inputs.map((input) => input.name),
  );
  const [, unknown] = name === '' && !existsSync(rest) ? (/^([^=/\\]+)=/.exec(rest) ?? []) : [];
  if (unknown === undefined) return [inputNamed(graph, name), rest];
  throw new UsageError(`${noInput(graph, unknown)}, and there is no file "${rest}"`);
}

/** The input of that name; '' is a model's only input. */
function inputNamed(graph: Graph, name: string): Value {
  const open = openInputs(graph);
  if (name === '' && open.length !== 1)
    throw new UsageError(`the model has ${open.length} inputs; name one, as in NAME=VALUE (${listed(open)})`);
  const input = name === '' ? open[0] : graph.inputs.find((candidate) => candidate.name === name);
  if (!input) throw new UsageError(noInput(graph, name));
  return input;
}

const noInput = (graph: Graph, name: string): string =>
  `the model has no input "${name}"; its inputs are ${listed(openInputs(graph))}`;

/** The sizes of `--dim` by name; throws for names that no input has. */
export function sizesOf({ inputs }: Graph, given: readonly Assignment<number>[]): ReadonlyMap<string, number> {
  const symbols = new Set(
    inputs.flatMap(({ type }) => (type?.kind === 'tensor' ? (type.dims ?? []) : [])).flatMap(symbolsIn),
  );
  const sizes = new Map<string, number>();
  for (const { text, name, value } of given) {
    const known = [...symbols].filter(isNamed).join(', ') || 'none';
    if (!symbols.has(name))
      throw new UsageError(`--dim ${text}: no input has a dimension "${name}"; dynamic dimensions: ${known}`);
    if (sizes.has(name)) throw new UsageError(`--dim ${text}: the dimension "${name}" is set twice`);
    sizes.set(name, value);
  }
  return sizes;
}
