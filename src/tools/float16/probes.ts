import { AttributeProto, type GraphProto, NodeProto, type TensorProto, ValueInfoProto } from '../../../build/onnx.js';
import { aborted } from '../../base/aborted.js';
import { SardonyxError } from '../../base/errors.js';
import { withFields } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import { numbersOf } from '../../tensor/numbers.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import { fromExternalData } from '../external-data.js';
import { withProto } from '../model-of.js';
import { nodeOf } from '../quantize/nodes.js';
import type { Watch } from '../quantize/progress.js';
import { tensorOf } from '../quantize/tensor-data.js';
import type { Samples } from '../quantize/weights/gram-matrices.js';
import { saveModel } from '../save-model.js';
import { subgraphsOf, withSubgraphs } from '../surgery/bodies.js';

/** Nodes that measure something in a graph. */
export interface Probe {
  readonly graph: GraphProto;
  readonly nodes: readonly NodeProto[];
  /** The names of the results, each a float32 scalar. */
  readonly results: readonly string[];
}

/**
 * Runs a model on all samples and yields the results of each probe, one list per sample. Results in a Loop are the
 * maxima over all iterations, and those of a branch that is not taken are 0. Probes in other subgraphs have no results.
 */
export async function* measured<K>(
  model: Model,
  probes: ReadonlyMap<K, Probe>,
  samples: Samples,
  { signal, onProgress }: Watch,
): AsyncGenerator<ReadonlyMap<K, number[]>> {
  const { InferenceSession } = await import('../../session/inference-session.js');
  const { graph, results: places } = probed(model.proto.graph as GraphProto, [...probes.values()]);
  const bytes = await saveModel(await fromExternalData(withProto(model, withFields(model.proto, { graph }))));
  const session = await InferenceSession.create(bytes, {
    graphOptimizationLevel: 'disabled',
    extraOutputs: [...places.values()],
  });
  let done = 0;
  try {
    for await (const feeds of samples) {
      if (signal?.aborted) throw aborted(signal, 'the conversion');
      onProgress?.({ stage: 'samples', done, total: Array.isArray(samples) ? samples.length : done, node: '' });
      done++;
      const found = await session.run(feeds);
      const numberAt = (place: string | undefined) =>
        place === undefined ? 0 : Number(numbersOf(found[place] as TensorValue)[0]);
      yield new Map([...probes].map(([key, { results }]) => [key, results.map((name) => numberAt(places.get(name)))]));
    }
  } finally {
    await session.release();
  }
  if (done > 0) return;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    'feeds contains no samples; pass an iterable that can be iterated several times, such as an array',
  );
}

/** A graph or nodes with probes, and the value that contains each result, by name. */
interface Probed<T> {
  readonly graph: T;
  readonly results: ReadonlyMap<string, string>;
}

function probed(graph: GraphProto, probes: readonly Probe[]): Probed<GraphProto> {
  const own = probes.filter((probe) => probe.graph === graph);
  const inner = graph.node.map((node) => aroundGraphs(node, probes));
  const results = [
    ...own.flatMap((probe) => probe.results.map((name) => [name, name] as const)),
    ...inner.flatMap((found) => [...found.results]),
  ];
  const node = [...inner.flatMap((found) => found.graph), ...own.flatMap(({ nodes }) => nodes)];
  return { graph: withFields(graph, { node }), results: new Map(results) };
}

/** Adds the results of probes in subgraphs to the outputs of a node. */
function aroundGraphs(node: NodeProto, probes: readonly Probe[]): Probed<NodeProto[]> {
  const bodies = new Map(subgraphsOf(node).map((graph) => [graph, probed(graph, probes)]));
  const names = [...bodies.values()].flatMap(({ results }) => [...results.keys()]);
  const isLoop = node.opType === 'Loop';
  if (names.length === 0 || !(isLoop || node.opType === 'If')) return { graph: [node], results: new Map() };
  const changed = withSubgraphs(node, (graph) => givingAll(bodies.get(graph) as Probed<GraphProto>, names));
  const [all, greatest] = ['all', 'greatest'].map((word) => names.map((name) => `${name}/${word}`)) as [
    string[],
    string[],
  ];
  const maxima = all.map((name, i) => nodeOf('ReduceMax', [name], [greatest[i] as string], { keepdims: 0 }));
  const around = withFields(changed, { output: [...node.output, ...all] });
  const places = isLoop ? greatest : all;
  return {
    graph: isLoop ? [around, ...maxima] : [around],
    results: new Map(names.map((name, i) => [name, places[i] as string])),
  };
}

/** Adds results to the outputs of a graph. Results of other branches are 0. */
function givingAll({ graph, results }: Probed<GraphProto>, names: readonly string[]): GraphProto {
  const missing = names.filter((name) => !results.has(name));
  return withFields(graph, {
    node: [...graph.node, ...missing.map((name) => constantNode(`${name}/none`, 0))],
    output: [...graph.output, ...names.map((name) => numberInfo(results.get(name) ?? `${name}/none`))],
  });
}

const numberInfo = (name: string): ValueInfoProto =>
  new ValueInfoProto({ name, type: { tensorType: { elemType: ELEMENTS.float32.onnx, shape: { dim: [] } } } });

export const constantNode = (name: string, x: number): NodeProto =>
  new NodeProto({
    opType: 'Constant',
    output: [name],
    attribute: [tensorAttribute('value', tensorOf('', 'float32', [], Float32Array.of(x)))],
  });

export const tensorAttribute = (name: string, t: TensorProto): AttributeProto =>
  new AttributeProto({ name, type: AttributeProto.AttributeType.TENSOR, t });
