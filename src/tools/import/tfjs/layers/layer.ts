import { SardonyxError } from '../../../../base/errors.js';
import { shown } from '../../../../base/shown.js';
import type { Value } from '../../../../graph/graph.js';
import type { Draft } from '../draft.js';

export interface LayerDef {
  readonly class_name: string;
  readonly name?: string;
  readonly config: Config;
  readonly inbound_nodes?: readonly unknown[];
}

/** The configuration of a layer in Keras' format. */
export type Config = Readonly<Record<string, unknown>>;

/** A call of a layer. */
export interface Call {
  readonly d: Draft;
  readonly x: Value;
  readonly inputs: readonly Value[];
  readonly config: Config;
  /** The weight with a Keras name; undefined if the layer does not have it. */
  readonly find: (name: string) => Value | undefined;
  readonly weight: (name: string) => Value;
  /** Calls an inner layer, whose weights are stored under this layer. */
  readonly inner: (layer: LayerDef, inputs: readonly Value[], path?: string) => readonly Value[];
}

export type Layer = (call: Call) => Value | readonly Value[];
export type Layers = Readonly<Record<string, Layer>>;

export function number(config: Config, name: string, standard?: number): number {
  const value = config[name] ?? standard;
  if (typeof value === 'number') return value;
  throw new SardonyxError('INVALID_MODEL', `${name}: expected a number, got ${shown(value)}`);
}

export const flag = (config: Config, name: string, standard = false): boolean => Boolean(config[name] ?? standard);

export const text = (config: Config, name: string, standard = ''): string => String(config[name] ?? standard);

/** Reads a number for each of `count` axes, or one for all. */
export function numbers(config: Config, name: string, count: number, standard = 1): number[] {
  const value = config[name] ?? standard;
  const list = (Array.isArray(value) ? value : new Array(count).fill(value)) as unknown[];
  if (list.length === count && list.every((item) => typeof item === 'number')) return list as number[];
  throw new SardonyxError('INVALID_MODEL', `${name}: expected ${count} numbers, got ${shown(value)}`);
}

export const isLast = (config: Config): boolean => text(config, 'data_format', 'channels_last') !== 'channels_first';
