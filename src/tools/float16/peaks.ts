import type { Model } from '../../model/document/model.js';
import { nodeOf, opsetOf } from '../quantize/nodes.js';
import type { Watch } from '../quantize/progress.js';
import { tensorOf } from '../quantize/tensor-data.js';
import type { Samples } from '../quantize/weights/gram-matrices.js';
import { domainOf } from '../schemas/schemas.js';
import { freshValues } from '../surgery/names.js';
import type { Objection } from './kept.js';
import type { Settings } from './options.js';
import { measured, type Probe } from './probes.js';
import type { Site, Step, Value } from './sites.js';
import { isTensor, narrowingTo } from './types.js';

/** The greatest numbers of float32 stand for infinity, in masks; the greatest halves do as well. */
const AS_INFINITE = 3.4e38;

/** How large sums become inside operators, of the greatest number that comes out, and how many went into each. */
const INSIDE: Readonly<Record<string, (peak: number, count: number) => number>> = {
  ReduceMean: (peak, count) => peak * count,
  GlobalAveragePool: (peak, count) => peak * count,
  ReduceL2: (peak) => peak ** 2,
};

/** Runs a model, and objects to nodes of its graph whose numbers, or sums, are greater than the type holds. */
export async function peaksOf(
  model: Model,
  site: Site,
  samples: Samples,
  settings: Settings & Watch,
): Promise<Objection> {
  const { of } = narrowingTo(settings.to, settings.doubles);
  const peaks = new Map<Value, number>();
  const sums = new Map<Step, number>();
  const values = [...site.values.values()].filter((value) => of(value) && isTensor(value) && !value.constant);
  const fresh = freshValues(model.proto);
  const probes = new Map<Value | Step, Probe>(
    values.map((value) => [value, peakProbe(value, opsetOf(model.proto), fresh)]),
  );
  const summing = site.steps.filter(({ node }) => domainOf(node.domain) === '' && INSIDE[node.opType]);
  for (const step of summing) probes.set(step, countProbe(step, fresh));
  for await (const found of measured(model, probes, samples, settings)) {
    for (const value of values) raise(peaks, value, found.get(value)?.[0]);
    for (const step of summing) {
      const [all = 0, left = 1] = found.get(step) ?? [];
      raise(sums, step, INSIDE[step.node.opType]?.(found.get(step.outputs[0] as Value)?.[0] ?? 0, all / left));
    }
  }
  return (step) => {
    const greatest = [...step.inputs, ...step.outputs].reduce(
      (most, value) => Math.max(most, (value && peaks.get(value)) ?? 0),
      0,
    );
    if (greatest > settings.maxFinite) return `its numbers come to ${greatest.toPrecision(3)}`;
    const sum = sums.get(step) ?? 0;
    return sum > settings.maxFinite ? `it sums to ${sum.toPrecision(3)}` : undefined;
  };
}

function raise<K>(peaks: Map<K, number>, key: K, peak = 0): void {
  peaks.set(key, Math.max(peaks.get(key) ?? 0, Number.isNaN(peak) ? 0 : peak));
}

/** The opset that has Where. */
const LEAST_FOR_WHERE = 9;

function peakProbe({ name, element }: Value, opset: number, fresh: (name: string) => string): Probe {
  const [size, finite, limit, zero, isBelow, peak] = ['size', 'finite', 'limit', 'zero', 'is_below', 'peak'].map(
    (what) => fresh(`${name}_${what}`),
  ) as [string, string, string, string, string, string];
  const number = (of: string, x: number) =>
    tensorOf(of, element as 'float32', [], element === 'float64' ? Float64Array.of(x) : Float32Array.of(x));
  const isPlain = opset < LEAST_FOR_WHERE;
  return {
    constants: isPlain ? [] : [number(limit, AS_INFINITE), number(zero, 0)],
    nodes: [
      nodeOf('Abs', [name], [size]),
      ...(isPlain ? [] : [nodeOf('Less', [size, limit], [isBelow]), nodeOf('Where', [isBelow, size, zero], [finite])]),
      nodeOf('ReduceMax', [isPlain ? size : finite], [peak], { keepdims: 0 }),
    ],
    results: [peak],
  };
}

/** How many numbers a node reads, and gives. */
function countProbe({ node }: Step, fresh: (name: string) => string): Probe {
  const names = [node.input[0], node.output[0]] as [string, string];
  const results = names.map((name) => fresh(`${name}_count`));
  return { nodes: names.map((name, i) => nodeOf('Size', [name], [results[i] as string])), results };
}
