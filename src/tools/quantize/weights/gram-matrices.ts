import type { ModelProto, NodeProto } from '../../../../build/onnx.js';
import { aborted } from '../../../base/aborted.js';
import { SardonyxError } from '../../../base/errors.js';
import { withFields } from '../../../model/document/changed.js';
import type { Model } from '../../../model/document/model.js';
import type { Feeds } from '../../../session/feeds.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { fromExternalData } from '../../external-data.js';
import { withProto } from '../../model-of.js';
import { saveModel } from '../../save-model.js';
import { namesIn } from '../graphs.js';
import { int64Tensor } from '../int64-tensor.js';
import { freshNames, nodeOf } from '../nodes.js';
import type { Watch } from '../progress.js';

/** Feeds of a model. They are iterated several times, as an array can be. */
export type Samples = Iterable<Feeds> | AsyncIterable<Feeds>;

/** The widths of values, by name. */
export type Widths = ReadonlyMap<string, number>;

/** The maximum number of matrix elements to accumulate at once: 128 MiB in double precision. */
const MOST_AT_ONCE = 2 ** 24;

function* groupsOf(widths: Widths): Generator<Widths> {
  let group = new Map<string, number>();
  let size = 0;
  for (const [name, width] of widths) {
    if (size > 0 && size + width ** 2 > MOST_AT_ONCE) {
      yield group;
      [group, size] = [new Map(), 0];
    }
    group.set(name, width);
    size += width ** 2;
  }
  if (size > 0) yield group;
}

/**
 * Yields XᵀX of the rows X of values, summed over all samples. As many values as fit in memory are computed in each
 * pass.
 */
export async function* gramMatrices(
  model: Model,
  widths: Widths,
  samples: Samples,
  watch: Watch,
): AsyncGenerator<ReadonlyMap<string, Float64Array>> {
  const whole = await fromExternalData(model);
  for (const group of groupsOf(widths)) yield await sumsOf(whole, group, samples, watch);
}

async function sumsOf(model: Model, widths: Widths, samples: Samples, { signal, onProgress }: Watch) {
  const { InferenceSession } = await import('../../../session/inference-session.js');
  const { proto, outputs } = withProducts(model.proto, widths);
  const session = await InferenceSession.create(await saveModel(withProto(model, proto)), {
    extraOutputs: [...outputs.values()],
  });
  const sums = new Map([...widths].map(([name, width]) => [name, new Float64Array(width ** 2)]));
  try {
    let done = 0;
    for await (const feeds of samples) {
      if (signal?.aborted) throw aborted(signal, 'the quantization');
      onProgress?.({ stage: 'samples', done, total: Array.isArray(samples) ? samples.length : done, node: '' });
      done++;
      const results = await session.run(feeds);
      for (const [name, output] of outputs) addUp(sums.get(name) as Float64Array, results[output] as TensorValue);
    }
    if (done === 0)
      throw new SardonyxError(
        'INVALID_ARGUMENT',
        'feeds contains no samples; pass an iterable that can be iterated several times, such as an array',
      );
  } finally {
    await session.release();
  }
  return sums;
}

function addUp(sums: Float64Array, { data }: TensorValue): void {
  for (let i = 0; i < sums.length; i++) sums[i] = (sums[i] as number) + ((data as Float32Array)[i] as number);
}

/** Adds nodes that compute XᵀX of values, and returns the names of their outputs. */
function withProducts(proto: ModelProto, widths: Widths) {
  const graph = proto.graph as NonNullable<ModelProto['graph']>;
  const fresh = freshNames(namesIn(graph));
  const outputs = new Map<string, string>();
  const [node, initializer] = [[...graph.node], [...graph.initializer]];
  for (const [name, width] of widths) {
    const [floats, shape, rows] = [fresh(`${name}_floats`), fresh(`${name}_shape`), fresh(`${name}_rows`)];
    const [columns, product] = [fresh(`${name}_columns`), fresh(`${name}_gram`)];
    initializer.push(int64Tensor(shape, [-1, width]));
    node.push(...squared([name, floats, shape, rows, columns, product]));
    outputs.set(name, product);
  }
  return { proto: withFields(proto, { graph: withFields(graph, { node, initializer }) }), outputs };
}

const squared = ([
  name = '',
  floats = '',
  shape = '',
  rows = '',
  columns = '',
  product = '',
]: string[]): NodeProto[] => [
  nodeOf('Cast', [name], [floats], { to: ELEMENTS.float32.onnx }),
  nodeOf('Reshape', [floats, shape], [rows]),
  nodeOf('Transpose', [rows], [columns], { perm: [1, 0] }),
  nodeOf('MatMul', [columns, rows], [product]),
];
