import type { HostValue, TensorValue, ValueMetadata } from 'sardonyx';
import { imageTensor } from 'sardonyx/image';
import { generatedFeeds, readValue } from 'sardonyx/model';
import { readNpy } from 'sardonyx/tensors';
import type { Feeding, InputChoice, PictureChoices } from '../contracts/feeding.js';
import { symbolsOf } from '../contracts/symbols.js';
import { parseNumbers } from './parse-numbers.js';
import { fitSamples } from './sound.js';

type TensorInput = Extract<ValueMetadata, { isTensor: true }>;

/** Sizes of open dimensions: those set by the user, and all of them including defaults. */
interface Sizes {
  readonly set: Feeding['sizes'];
  readonly all: Feeding['sizes'];
}

/** Values for the inputs; those without a choice are generated, or left out if they have a default. */
export async function makeFeeds(
  inputs: readonly ValueMetadata[],
  { inputs: choices, sizes: set }: Feeding,
): Promise<Record<string, HostValue>> {
  const sizes = { set, all: new Map([...symbolsOf(inputs), ...set]) };
  const feeds = new Map<string, HostValue>();
  for (const input of inputs) {
    const choice = choices.get(input.name);
    if (!choice && input.hasDefault) continue;
    feeds.set(input.name, await feedFor(input, choice ?? { kind: 'generated', seed: 0 }, sizes));
  }
  return Object.fromEntries(feeds);
}

async function feedFor(input: ValueMetadata, choice: InputChoice, sizes: Sizes): Promise<HostValue> {
  try {
    return await make(input, choice, sizes);
  } catch (error) {
    throw new Error(`${input.name}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

function make(input: ValueMetadata, choice: InputChoice, { set, all }: Sizes): HostValue | Promise<HostValue> {
  switch (choice.kind) {
    case 'generated':
      return generatedFeeds([input], Object.fromEntries(all), choice.seed)[input.name] as HostValue;
    case 'file':
      return valueInFile(input, choice.file, choice.picture, set);
    case 'pixels':
      return picture(input, choice.pixels, choice.picture, set);
    case 'sound':
      return fitSamples(tensorInput(input), choice.samples, all);
    case 'numbers':
      return parseNumbers(tensorInput(input), choice.text, all);
  }
}

function tensorInput(input: ValueMetadata): TensorInput {
  if (input.isTensor) return input;
  throw new Error(`use a .pb file for a ${input.valueType?.kind ?? 'value of an unknown type'}`);
}

async function valueInFile(
  input: ValueMetadata,
  file: File,
  choices: PictureChoices,
  sizes: Feeding['sizes'],
): Promise<HostValue> {
  if (/\.npy$/i.test(file.name)) return readNpy(await file.arrayBuffer());
  if (!/\.pb$/i.test(file.name)) return picture(input, file, choices, sizes);
  const kind = input.isTensor ? 'tensor' : input.valueType?.kind;
  return readValue(new Uint8Array(await file.arrayBuffer()), kind);
}

/** An image as a tensor; open heights and widths are those set by symbol, or the image's own. */
function picture(
  input: ValueMetadata,
  source: Parameters<typeof imageTensor>[0],
  { fit, normalize, isBgr }: PictureChoices,
  sizes: Feeding['sizes'],
): Promise<TensorValue> {
  const shape = tensorInput(input).shape.map((size) => (typeof size === 'number' ? size : (sizes.get(size) ?? size)));
  const known = { ...input, shape } as ValueMetadata;
  return imageTensor(source, { for: known, fit, normalize, ...(isBgr && { channels: 'BGR' }) });
}
