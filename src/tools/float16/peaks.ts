import type { Model } from '../../model/document/model.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import { nodeOf, opsetOf } from '../quantize/nodes.js';
import type { Samples } from '../quantize/weights/gram-matrices.js';
import { domainOf } from '../schemas/domains.js';
import { freshValues } from '../surgery/names.js';
import type { Objection } from './kept.js';
import type { Settings } from './options.js';
import { constantNode, measured, type Probe } from './probes.js';
import { type Site, type Step, sitesIn, type Value } from './sites.js';
import { isTensor, narrowingTo } from './types.js';

/**
 * Larger values count as infinite. Masks use the largest float32, and the largest half-precision value serves them as
 * well.
 */
const AS_INFINITE = 3.4e38;

/**
 * The magnitude of sums within an operator, from its largest output and the number of elements that contribute to each
 * output.
 */
const INSIDE: Readonly<Record<string, (peak: number, count: number) => number>> = {
  ReduceMean: (peak, count) => peak * count,
  GlobalAveragePool: (peak, count) => peak * count,
  ReduceL2: (peak) => peak ** 2,
};

const insideOf = ({ node }: Step) => (domainOf(node.domain) === '' ? INSIDE[node.opType] : undefined);

/** Runs a model and objects to nodes whose values or internal sums exceed the range of the type. */
export async function peaksOf(model: Model, site: Site, samples: Samples, settings: Settings): Promise<Objection> {
  const greatest = await greatestOf(model, site, samples, settings);
  const peakOf = (value: Value | undefined) => (value && greatest.get(value)) ?? 0;
  return (step) => {
    const peak = Math.max(...[...step.inputs, ...step.outputs].map(peakOf));
    if (peak > settings.maxFinite) return `values reach ${peak.toPrecision(3)}`;
    const sum = insideOf(step)?.(peakOf(step.outputs[0]), greatest.get(step) ?? 0) ?? 0;
    return sum > settings.maxFinite ? `sums reach ${sum.toPrecision(3)}` : undefined;
  };
}

/** The largest finite magnitude of each value, and the number of elements that contribute to each output of a node. */
async function greatestOf(model: Model, site: Site, samples: Samples, settings: Settings) {
  const { of } = narrowingTo(settings.to, settings.doubles);
  const fresh = freshValues(model.proto);
  const probes = new Map<Value | Step, Probe>();
  for (const { values, steps } of sitesIn(site)) {
    for (const value of values.values())
      if (of(value) && isTensor(value) && !value.constant)
        probes.set(value, peakProbe(value, opsetOf(model.proto), fresh));
    for (const step of steps) if (insideOf(step)) probes.set(step, countProbe(step, fresh));
  }
  const greatest = new Map<Value | Step, number>();
  for await (const found of measured(model, probes, samples, settings))
    for (const [what, [x = 0]] of found) if (x > (greatest.get(what) ?? 0)) greatest.set(what, x);
  return greatest;
}

/** The first opset with Where. */
const LEAST_FOR_WHERE = 9;

function peakProbe({ name, site: { graph } }: Value, opset: number, fresh: (name: string) => string): Probe {
  const named = (what: string) => fresh(`${name}_${what}`);
  const [float, size, peak] = [named('float'), named('size'), named('peak')];
  const [limit, zero, below, finite] = [named('limit'), named('zero'), named('below'), named('finite')];
  const isPlain = opset < LEAST_FOR_WHERE;
  const nodes = [
    nodeOf('Cast', [name], [float], { to: ELEMENTS.float32.onnx }),
    nodeOf('Abs', [float], [size]),
    constantNode(limit, AS_INFINITE),
    constantNode(zero, 0),
    nodeOf('Less', [size, limit], [below]),
    nodeOf('Where', [below, size, zero], [finite]),
    nodeOf('ReduceMax', [isPlain ? size : finite], [peak], { keepdims: 0 }),
  ];
  return { graph, nodes: isPlain ? [...nodes.slice(0, 2), ...nodes.slice(-1)] : nodes, results: [peak] };
}

/** Counts the elements that a node reads for each output element. */
function countProbe({ node, site: { graph } }: Step, fresh: (name: string) => string): Probe {
  const named = (what: string) => fresh(`${node.output[0]}_${what}`);
  const [inputs, outputs, ratio, float] = [named('read'), named('given'), named('ratio'), named('ratio_float')];
  const nodes = [
    nodeOf('Size', [node.input[0] as string], [inputs]),
    nodeOf('Size', [node.output[0] as string], [outputs]),
    nodeOf('Div', [inputs, outputs], [ratio]),
    nodeOf('Cast', [ratio], [float], { to: ELEMENTS.float32.onnx }),
  ];
  return { graph, nodes, results: [float] };
}
