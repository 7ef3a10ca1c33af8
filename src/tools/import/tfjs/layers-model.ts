import { SardonyxError } from '../../../base/errors.js';
import type { Value } from '../../../graph/graph.js';
import { type Size, symbol } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import type { ElementType } from '../../../tensor/element-types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { Refusals } from '../../translation-error.js';
import type { Written } from './complete.js';
import { Draft, refuse } from './draft.js';
import { windows } from './layers/convolution.js';
import { core } from './layers/core.js';
import { type Config, flag, type LayerDef, type Layers } from './layers/layer.js';
import { recurrence } from './layers/recurrent.js';

const LAYERS: Layers = { ...core, ...recurrence, ...windows };

/** State that all parts of a model share. */
interface Library {
  readonly d: Draft;
  readonly weights: ReadonlyMap<string, TensorValue>;
  readonly values: Map<string, Value>;
  readonly refusals: Refusals;
  readonly isRecurrent: boolean;
}

const invalid = (complaint: string) => new SardonyxError('INVALID_MODEL', complaint);

/** Converts a Keras model: a Sequential or a functional one. */
export function writeLayersModel(topology: object, weights: ReadonlyMap<string, TensorValue>): Written {
  const { model_config = topology } = topology as { model_config?: object };
  const model = model_config as LayerDef;
  if (typeof model.class_name !== 'string' || typeof model.config !== 'object')
    throw invalid('modelTopology is neither a graph model nor a layers model');
  const d = new Draft();
  const isRecurrent = /"(LSTM|GRU|SimpleRNN|RNN)"/.test(JSON.stringify(model));
  const library: Library = { d, weights, values: new Map(), refusals: new Refusals(), isRecurrent };
  const { inputs, outputs } = isRow(model) ? rowBorders(library, model) : graphBorders(library, model);
  library.refusals.check();
  return { draft: d, inputs, outputs: outputs as [string, Value][] };
}

const isModel = ({ class_name }: LayerDef) => /^(Sequential|Functional|Model)$/.test(class_name);
const isRow = ({ class_name }: LayerDef) => class_name === 'Sequential';
const layersOf = ({ config }: LayerDef): readonly LayerDef[] =>
  (Array.isArray(config) ? config : ((config.layers ?? []) as LayerDef[])) as readonly LayerDef[];
const nameOf = (layer: LayerDef): string => String(layer.config.name ?? layer.name ?? layer.class_name);

interface Borders {
  readonly inputs: readonly Value[];
  readonly outputs: readonly (readonly [string, Value | undefined])[];
}

type Results = readonly (Value | undefined)[];

/** The input shape, in the configuration of the layer or its first inner layer. */
function shapeIn(layer: LayerDef): { shape: readonly (number | null)[]; config: Config } {
  const { batch_input_shape, batch_shape } = layer.config;
  const shape = batch_input_shape ?? batch_shape;
  if (Array.isArray(shape)) return { shape, config: layer.config };
  const inner = isModel(layer) ? layersOf(layer)[0] : (layer.config.layer as LayerDef | undefined);
  if (inner) return shapeIn(inner);
  throw invalid(`the input shape of "${nameOf(layer)}" is missing`);
}

const TYPES: Readonly<Record<string, ElementType>> = {
  float32: 'float32',
  int32: 'int32',
  bool: 'bool',
  string: 'string',
  float16: 'float32',
};

function inputOf({ d }: Library, name: string, layer: LayerDef): Value {
  const { shape, config } = shapeIn(layer);
  const dims = shape.map((size, axis): Size => size ?? symbol(axis === 0 ? 'batch' : `${name}_${axis}`));
  return d.input(name, tensorType(TYPES[String(config.dtype ?? 'float32')] ?? 'float32', dims));
}

function rowBorders(library: Library, model: LayerDef): Borders {
  const layers = layersOf(model);
  const [first, last] = [layers[0], layers.at(-1)];
  if (!first || !last) throw invalid('the model has no layers');
  const name = nameOf(first).replace(/(_input)?$/, first.class_name === 'InputLayer' ? '$1' : '_input');
  const input = inputOf(library, name, first);
  const [output] = writeRow(library, model, [input]);
  return { inputs: [input], outputs: [[nameOf(last), output]] };
}

function writeRow(library: Library, model: LayerDef, inputs: Results): Results {
  return layersOf(model).reduce((values, layer) => write(library, layer, values), inputs);
}

/** A reference to an output of a call of a layer. */
type Reference = readonly [layer: string, call: number, output: number];

function graphBorders(library: Library, model: LayerDef): Borders {
  const layers = new Map(layersOf(model).map((layer) => [nameOf(layer), layer]));
  const names = referencesIn(model.config.input_layers);
  const inputs = names.map(([name]) =>
    inputOf(library, name, layers.get(name) ?? refuse(`there is no layer "${name}"`)),
  );
  const results = writeGraph(library, model, inputs);
  const places = referencesIn(model.config.output_layers);
  const isAlone = (name: string) => places.filter(([other]) => other === name).length === 1;
  return {
    inputs,
    outputs: results.map((value, i) => {
      const [name, , output] = places[i] as Reference;
      return [isAlone(name) ? name : `${name}_${output || i}`, value];
    }),
  };
}

function writeGraph(library: Library, model: LayerDef, inputs: Results): Results {
  const layers = new Map(layersOf(model).map((layer) => [nameOf(layer), layer]));
  const calls = new Map<string, Results>();
  for (const [i, [name]] of referencesIn(model.config.input_layers).entries()) calls.set(`${name}/0`, [inputs[i]]);
  const open = new Set<string>();
  const everywhere = referencesIn([...layers.values()].map((layer) => layer.inbound_nodes)).concat(
    referencesIn(model.config.output_layers),
  );
  // A nested model was called once when it was created. This first call is not stored, so that the numbers of stored
  // calls start later.
  const firstOf = (name: string, { length }: readonly unknown[]) =>
    Math.max(0, ...everywhere.filter(([other]) => other === name).map(([, call]) => call + 1 - length));
  const called = ([name, call, output]: Reference): Value | undefined => {
    const key = `${name}/${call}`;
    const known = calls.get(key);
    if (known) return known[output];
    const layer = layers.get(name);
    const nodes = layer?.inbound_nodes ?? [];
    const node = nodes[call - firstOf(name, nodes)];
    if (!layer || node === undefined || open.has(key))
      throw invalid(`call ${call} of layer "${name}" is missing or depends on its own output`);
    open.add(key);
    const operands = referencesIn(node).map(called);
    const results = write(library, layer, operands);
    calls.set(key, results);
    return results[output];
  };
  return referencesIn(model.config.output_layers).map(called);
}

/** Finds references in a nested value. Keras 3 stores them in objects, and a single one without a list. */
function referencesIn(value: unknown): Reference[] {
  if (Array.isArray(value)) {
    const [layer, call, output] = value;
    if (typeof layer === 'string' && typeof call === 'number' && typeof output === 'number')
      return [[layer, call, output]];
    return value.flatMap(referencesIn);
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referencesIn) : [];
}

/** Converts a layer call. Returns nothing if a layer that it depends on was refused. */
function write(library: Library, layer: LayerDef, inputs: Results, path: readonly string[] = []): Results {
  const { d, refusals } = library;
  const name = nameOf(layer);
  if (isModel(layer)) return isRow(layer) ? writeRow(library, layer, inputs) : writeGraph(library, layer, inputs);
  const operator = Object.hasOwn(LAYERS, layer.class_name) ? LAYERS[layer.class_name] : undefined;
  if (operator && (inputs.length === 0 || inputs.includes(undefined))) return [];
  d.scope = name;
  return (
    refusals.collect(name, layer.class_name, () => {
      if (!operator) return refuse('this layer is not supported');
      const isMask = layer.class_name === 'Masking' || flag(layer.config, 'mask_zero');
      if (isMask && library.isRecurrent) return refuse('masked time steps of recurrent layers are not supported');
      const own = path.length ? path : [name];
      const absent = (weight: string) =>
        refuse(`the weight "${own.join('/')}/${weight}" is missing in the weight files`);
      const find = (weight: string) =>
        weightOf(library, own, weight) ?? (flag(layer.config, SWITCHES[weight] ?? '') ? absent(weight) : undefined);
      const made = operator({
        d,
        x: inputs[0] as Value,
        inputs: inputs as readonly Value[],
        config: layer.config,
        find,
        weight: (weight) => find(weight) ?? absent(weight),
        inner: (inner, values, prefix = '') => {
          const results = write(library, inner, values, [...own, prefix]);
          return results.length && !results.includes(undefined)
            ? (results as Value[])
            : refuse('the wrapped layer cannot be converted');
        },
      });
      return 'name' in made ? [made] : made;
    }) ?? []
  );
}

/** Configuration entries that specify whether a layer has a weight. */
const SWITCHES: Readonly<Record<string, string>> = { bias: 'use_bias', gamma: 'scale', beta: 'center' };

/** Finds a weight by name. Weight names may contain names of cells and enclosing models in addition to `path`. */
function weightOf({ d, weights, values }: Library, path: readonly string[], name: string): Value | undefined {
  const fits = (full: string) => {
    const steps = full.replace(/:\d+$/, '').split('/');
    return (
      steps.pop() === name &&
      path.every((part) =>
        steps.some((step) => (part.endsWith('_') ? step.startsWith(part) : part === '' || step === part)),
      )
    );
  };
  const exact = `${path[0]}/${name}`;
  const full = path.length === 1 && weights.has(exact) ? exact : [...weights.keys()].find(fits);
  if (full === undefined) return undefined;
  const value = values.get(full) ?? d.constant(weights.get(full) as TensorValue, full);
  values.set(full, value);
  return value;
}
