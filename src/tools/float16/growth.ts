import type { GraphProto, NodeProto } from '../../../build/onnx.js';
import type { Model } from '../../model/document/model.js';
import type { Feeds } from '../../session/feeds.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import { nodeOf } from '../quantize/nodes.js';
import type { Samples } from '../quantize/weights/gram-matrices.js';
import { definedIn } from '../surgery/bodies.js';
import { mergeModels } from '../surgery/merge-models.js';
import { freshValues } from '../surgery/names.js';
import { graphOf } from '../surgery/refuse.js';
import type { Settings } from './options.js';
import { measured, type Probe } from './probes.js';
import { type Site, type Step, stepsIn, type Value } from './sites.js';
import { isTensor, narrowingTo } from './types.js';

/** The prefix of names from the converted model. */
const PREFIX = 'half/';

/** The error that each node of a converted model adds, in its outputs or in those of its readers. */
export async function blameOf(model: Model, half: Model, site: Site, samples: Samples, settings: Settings) {
  const errors = await errorsOf(model, half, site, samples, settings);
  const errorOf = (values: Step['inputs']) => Math.max(0, ...values.map((value) => (value && errors.get(value)) ?? 0));
  const growth = (step: Step) => {
    const [before, after] = [errorOf(step.inputs), errorOf(step.outputs)];
    return before === after ? 0 : Math.max(0, after - before);
  };
  const blame = new Map<Step, number>();
  for (const step of site.steps) {
    const readers = step.outputs.flatMap((value) => value?.readers ?? []);
    const found = Math.max(growth(step), ...readers.map((reading) => growth(reading.step)));
    for (const each of [step, ...step.bodies.flatMap((body) => [...stepsIn(body)])]) blame.set(each, found);
  }
  return blame;
}

/** ‖half − value‖ / ‖value‖ of the values of the main graph, as the maximum over all samples. */
async function errorsOf(model: Model, half: Model, site: Site, samples: Samples, settings: Settings) {
  const both = mergeModels(model, half, { map: [], prefix2: PREFIX });
  const names = definedIn(graphOf(both));
  const { of } = narrowingTo(settings.to, settings.doubles);
  const isKnown = (value: Value) => of(value) && isTensor(value) && !value.constant && names.has(PREFIX + value.name);
  const fresh = freshValues(both.proto);
  const known = [...site.values.values()].filter(isKnown);
  const probes = new Map(known.map((value) => [value, errorProbe(graphOf(both), value.name, fresh)]));
  const errors = new Map<Value, number>();
  for await (const found of measured(both, probes, twice(samples), settings))
    for (const [value, [apart = 0, size = 0]] of found) {
      const error = apart === 0 ? 0 : apart / size;
      errors.set(value, Math.max(errors.get(value) ?? 0, Number.isNaN(error) ? Number.POSITIVE_INFINITY : error));
    }
  return errors;
}

function errorProbe(graph: GraphProto, name: string, fresh: (name: string) => string): Probe {
  const nodes: NodeProto[] = [];
  const add = (op: string, inputs: string[], attributes: Record<string, number> = {}) => {
    const made = fresh(`${name}_${op}`);
    nodes.push(nodeOf(op, inputs, [made], attributes));
    return made;
  };
  const [half, float] = [PREFIX + name, name].map((value) => add('Cast', [value], { to: ELEMENTS.float32.onnx }));
  const results = [add('Sub', [half, float] as string[]), float as string].map((value) =>
    add('ReduceL2', [value], { keepdims: 0 }),
  );
  return { graph, nodes, results };
}

async function* twice(samples: Samples): AsyncGenerator<Feeds> {
  for await (const feeds of samples) {
    const again = Object.entries(feeds).map(([name, value]) => [PREFIX + name, value]);
    yield { ...feeds, ...Object.fromEntries(again) };
  }
}
