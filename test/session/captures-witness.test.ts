// Every value inside whole networks against onnxruntime's, where that is installed.
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ModelProto, ValueInfoProto } from '../../build/onnx.js';
import { InferenceSession } from '../../src/index.js';
import { isTensorValue, type TensorValue } from '../../src/tensor/tensor-value.js';
import { addOutputs, edit, loadModel, saveModel } from '../../src/tools/index.js';
import { firstDataSet, type Values } from '../first-data-set.js';
import { byTier, sample } from '../tier.js';
import { networks, readProto } from '../toolkit/check/models.js';
import { hasNative, runNatively } from '../toolkit/quantize/runs.js';

const test = suite("captured values against onnxruntime's");

const numbersOf = ({ data }: TensorValue): Float64Array => Float64Array.from(data as ArrayLike<number>, Number);

/** ‖found − expected‖ / ‖expected‖; 0 where both are the same. */
function relativeError(found: Float64Array, expected: Float64Array): number {
  let [difference, norm] = [0, 0];
  for (const [i, b] of expected.entries()) {
    difference += ((found[i] as number) - b) ** 2;
    norm += b ** 2;
  }
  return difference === 0 ? 0 : Math.sqrt(difference / norm);
}

/** Values whose order is that of scores: two that differ by a rounding may have changed places. */
function ranked({ graph }: ModelProto): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { opType, input, output } of graph?.node ?? [])
    if (/^(TopK|NonMaxSuppression)$/.test(opType) || input.some((name) => found.has(name)))
      for (const name of output) found.add(name);
  return found;
}

interface Tally {
  compared: number;
  /** How many agree in another order alone. */
  reordered: number;
  worst: number;
  name: string;
}

function compare(found: Values, expected: Values, mayReorder: ReadonlySet<string>): Tally {
  const tally: Tally = { compared: 0, reordered: 0, worst: 0, name: '' };
  for (const [name, own] of Object.entries(found)) {
    const other = expected[name];
    if (!other || !own || !isTensorValue(own) || !isTensorValue(other) || own.type === 'string') continue;
    assert.equal([own.type, own.dims], [other.type, other.dims], name);
    const [a, b] = [numbersOf(own), numbersOf(other)];
    const direct = relativeError(a, b);
    const isReordered = direct > TOLERANCE && mayReorder.has(name);
    const error = isReordered ? relativeError(a.sort(), b.sort()) : direct;
    tally.compared++;
    tally.reordered += Number(isReordered);
    if (!(error <= tally.worst)) Object.assign(tally, { worst: error, name });
  }
  return tally;
}

const TOLERANCE = 1e-4;

const isTensor = ({ type }: ValueInfoProto) => Boolean(type?.tensorType);

/** What nodes compute, by its names. */
const namesIn = ({ graph }: ModelProto) =>
  graph?.node.flatMap(({ output }) => output).filter((name) => name !== '') ?? [];

/** What onnxruntime gives of all that nodes compute, maps excepted. */
async function nativeValues(bytes: Uint8Array, proto: ModelProto, feeds: Values): Promise<Values> {
  const { output = [] } = proto.graph ?? {};
  const inner = namesIn(proto).filter((name) => !output.some((value) => value.name === name));
  const maps = new Set(output.filter((value) => !isTensor(value)).map(({ name }) => name));
  const tensors = await edit(await addOutputs(await loadModel(bytes), inner), ({ outputs }) => {
    outputs.splice(0, outputs.length, ...outputs.filter(({ name }) => !maps.has(name)));
  });
  return runNatively(await saveModel(tensors), feeds as Readonly<Record<string, TensorValue>>);
}

for (const path of hasNative ? sample(networks(), byTier({ quick: 1, ci: 3, all: 100 })) : [])
  test(basename(dirname(path)), async () => {
    const [bytes, proto] = [readFileSync(path), readProto(path)];
    const feeds = firstDataSet(path, proto, 'input');
    const expected = await nativeValues(bytes, proto, feeds);
    const mayReorder = ranked(proto);
    for (const graphOptimizationLevel of ['all', 'disabled'] as const) {
      await using session = await InferenceSession.create(bytes, { graphOptimizationLevel });
      const found = await session.run(feeds, { capture: 'all' });
      const { optimizedAway } = session;
      const { compared, reordered, worst, name } = compare(found, expected, mayReorder);
      const counts = `${compared} values, ${reordered} in another order, ${optimizedAway.length} optimized away`;
      console.log(`${graphOptimizationLevel}: ${counts}; worst ${worst.toExponential(1)} ${name}`);
      assert.ok(worst <= TOLERANCE, `${name}: ${worst}`);
      const given = new Set([...Object.keys(found), ...optimizedAway]);
      assert.equal(
        namesIn(proto).filter((one) => !given.has(one)),
        [],
      );
    }
  });

test.run();
