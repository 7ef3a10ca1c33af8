import type { NodeProto } from '../../../build/onnx.js';
import type { Model } from '../../model/document/model.js';
import type { Feeds } from '../../session/feeds.js';
import type { SessionOptions } from '../../session/options.js';
import { type HostValue, isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';
import { generatedFeeds, type Sizes } from '../generated-feeds.js';
import { sessionOf } from '../session-of.js';
import { labelOf, type Maker, type Values } from './findings.js';

/** A session of any runtime with onnxruntime's interface, or any other object that computes outputs from feeds. */
export interface Runner {
  /** Computes the outputs, by name. */
  run(feeds: Record<string, unknown>): Promise<Readonly<Record<string, unknown>>>;
}

/** A model with session options. Without them, a model runs with `graphOptimizationLevel: 'disabled'`. */
export interface ModelWithOptions {
  /** The model. */
  readonly model: Model;
  /** Options for its session. */
  readonly session: SessionOptions;
}

/** One side of a comparison: a model, a model with session options, or a session. */
export type Side = Model | ModelWithOptions | Runner;

export const modelIn = (side: Side): Model | undefined =>
  'proto' in side ? side : 'model' in side && !('run' in side) ? side.model : undefined;

/** Nodes of the model's own graph. */
export const makersIn = ({ proto }: Model): Maker[] =>
  (proto.graph?.node ?? []).map((node) => ({ label: label(node), outputs: node.output.filter(Boolean) }));

const label = ({ domain, opType, name }: NodeProto): string => labelOf(domain ? `${domain}.${opType}` : opType, name);

export const madeIn = (model: Model): string[] => makersIn(model).flatMap(({ outputs }) => outputs);

export const outputsOf = ({ proto }: Model): string[] => proto.graph?.output.map(({ name }) => name) ?? [];

/** Random feeds for the model inputs without a default. */
export async function feedsFor(model: Model, sizes: Sizes | undefined, seed: number | undefined): Promise<Feeds> {
  const session = await sessionOf(model);
  const open = session.inputMetadata.filter(({ hasDefault }) => !hasDefault);
  await session.release();
  return generatedFeeds(open, sizes, seed) as Feeds;
}

/** All outputs of a side for the given feeds. A model also returns the `captured` values. */
export async function valuesOf(side: Side, feeds: Feeds, captured: readonly string[]): Promise<Values> {
  const model = modelIn(side);
  if (!model) return plainValues(await (side as Runner).run(foreign(feeds)));
  const session = await sessionOf(model, { ...('session' in side && side.session), extraOutputs: captured });
  try {
    return (await session.run(feeds)) as Values;
  } finally {
    await session.release();
  }
}

/** Converts feeds to objects that onnxruntime accepts as tensors; it requires `location`. */
const foreign = (feeds: Feeds): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(feeds as Values).map(([name, value]) => [
      name,
      isTensorValue(value)
        ? { type: value.type, dims: value.dims, data: value.data, size: value.data.length, location: 'cpu' }
        : value,
    ]),
  );

const plainValues = (values: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isTensorValue(value) ? plain(value) : (value as HostValue)]),
  );

/**
 * Converts another runtime's tensor. Newer engines store float16 in a Float16Array; Sardonyx uses the bits in a
 * Uint16Array.
 */
export function plain({ type, dims, data }: TensorValue): TensorValue {
  const isBits = type !== 'float16' || data instanceof Uint16Array || !ArrayBuffer.isView(data);
  const { buffer, byteOffset, length } = data as Uint8Array;
  return { type, dims: [...dims], data: isBits ? data : new Uint16Array(buffer, byteOffset, length) };
}
