// Intermediate values that a run returns in addition to the outputs. Loaded with the first run that requests some.
import { SardonyxError } from '../base/errors.js';
import { onDemand } from '../base/on-demand.js';
import { shown } from '../base/shown.js';
import type { Graph, Value } from '../graph/graph.js';
import type { ModelValues } from '../optimize/model-values.js';
import { StoredTensor } from '../tensor/stored-tensor.js';
import type { Fetches } from './fetches.js';
import type { Capture } from './run-options.js';
import type { Runners } from './runners.js';

/** The optimized graph with all remaining values of the model as outputs, and the fetches for them. */
export interface Captures {
  readonly runners: Runners;
  /** @throws SardonyxError UNKNOWN_OUTPUT, INVALID_ARGUMENT */
  wanted(fetches: Fetches | undefined, capture: Capture): Promise<Wanted>;
}

export interface Wanted {
  readonly fetches: Fetches;
  readonly optimizedAway: readonly string[];
}

export function capturesIn(graph: Graph, model: ModelValues, runnersOf: (graph: Graph) => Runners): Captures {
  const outputs = graph.outputs.map(({ name }) => name);
  const kept = keptValues(graph, model);
  const known = new Set([...model.names, ...outputs, ...graph.inputs.map(({ name }) => name)]);
  const more = [...kept.values()].filter((value) => !graph.outputs.includes(value));
  return {
    runners: runnersOf({ ...graph, outputs: [...graph.outputs, ...more] }),
    async wanted(fetches, capture) {
      const asked = capture === 'all' ? model.names : checkedNames(capture);
      for (const name of asked) if (!known.has(name)) throw await noSuch(graph, name, [...known]);
      return {
        fetches: withNames(
          fetches ?? outputs,
          asked.filter((name) => kept.has(name)),
        ),
        optimizedAway: asked.filter((name) => !kept.has(name)),
      };
    },
  };
}

/** Values of the model that the graph still computes or has folded to constants, and the inputs, by name. */
function keptValues({ nodes, inputs, outputs }: Graph, model: ModelValues): ReadonlyMap<string, Value> {
  const isKept = (value: Value | null): value is Value =>
    value !== null && model.has(value) && !(value.constant instanceof StoredTensor);
  const values = nodes.flatMap((node) => [...node.inputs, ...node.outputs]).filter(isKept);
  return new Map([...inputs, ...outputs, ...values].map((value) => [value.name, value]));
}

const withNames = (fetches: Fetches, names: readonly string[]): Fetches =>
  Array.isArray(fetches)
    ? [...new Set([...fetches, ...names])]
    : { ...Object.fromEntries(names.map((name) => [name, null])), ...fetches };

function checkedNames(capture: unknown): readonly string[] {
  if (Array.isArray(capture) && capture.every((name) => typeof name === 'string')) return capture;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `capture must be 'all' or a list of values, such as ['hidden'], not ${shown(capture)}`,
  );
}

const isWeight = (graph: Graph, name: string) =>
  graph.nodes.some((node) => node.inputs.some((value) => value?.name === name && value.constant));

async function noSuch(graph: Graph, name: string, known: readonly string[]): Promise<SardonyxError> {
  if (isWeight(graph, name))
    return new SardonyxError(
      'UNKNOWN_OUTPUT',
      'is a weight, which runs do not compute: read it with loadModel of sardonyx/model',
      { value: name },
    );
  const { unknownValue } = await onDemand('extra-outputs', () => import('../optimize/extra-outputs.js'));
  return unknownValue(graph, name, known);
}
