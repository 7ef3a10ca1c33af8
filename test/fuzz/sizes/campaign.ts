import type { HostValue, TensorValue } from '../../../src/tensor/tensor-value.js';
import { outputsOf, runnerOf } from '../../plan/runners.js';
import { generate } from '../graphs/generate.js';
import { plainOfValue, valueOfPlain } from '../graphs/plain-tensors.js';
import { bytesOf } from '../graphs/program.js';
import type { PlainValue } from '../reference/array.js';

export interface SizesReport {
  runs: number;
  /** Runs by the stage of the run before, at other sizes. */
  moved: number;
  readonly wrong: string[];
}

/** Sets of feeds, each run twice. */
const SETS = 12;

/**
 * Kernels that were chosen at the first sizes, such as Winograd's, stay where a plan of its own chooses others: results may differ by so
 * much of the largest, or by one unit in the last place of a shorter type.
 */
const TOLERANCE = 1e-4;
const UNITS: Readonly<Record<string, number>> = { float16: 2 ** -10, bfloat16: 2 ** -7 };

/** Runs a random model at one set of sizes after another, in one runner that moves its plans and in one that plans each from the graph. */
export async function trySizes(seed: number, report: SizesReport): Promise<void> {
  const { program, feeds } = await generate(seed, SETS);
  const model = bytesOf(program);
  for (const graphOptimizationLevel of ['disabled', 'all'] as const) {
    const { runner } = await runnerOf(model, { graphOptimizationLevel }, 64, undefined, true);
    const { runner: planned, tracing } = await runnerOf(model, { graphOptimizationLevel }, 64, 1);
    tracing.functions = {};
    for (const set of [...feeds, ...feeds]) {
      const inputs = runner.graph.inputs.map(({ name }) => {
        const value = set.get(name);
        return value === undefined ? undefined : valueOfPlain(value);
      }) as TensorValue[];
      const last = runner.lastStages[0];
      const [here, there] = [outcomeOf(() => outputsOf(runner, inputs)), outcomeOf(() => outputsOf(planned, inputs))];
      report.runs++;
      if (runner.lastStages[0] === last) report.moved++;
      const found = differenceOf(here, there);
      if (!found) continue;
      report.wrong.push(`seed ${seed}, ${graphOptimizationLevel}: ${found}`);
      break;
    }
    runner.release();
    planned.release();
  }
}

type Outputs = Record<string, HostValue>;

function outcomeOf(run: () => Outputs): Outputs | string {
  try {
    return run();
  } catch (error) {
    return (error as Error).message;
  }
}

function differenceOf(here: Outputs | string, there: Outputs | string): string | undefined {
  if (typeof here === 'string' || typeof there === 'string')
    return here === there ? undefined : `${messageOf(here)} against ${messageOf(there)}`;
  const name = Object.keys(there).find(
    (each) => !isNear(plainOfValue(here[each] as HostValue), plainOfValue(there[each] as HostValue)),
  );
  return name && `${name} differs`;
}

const messageOf = (outcome: Outputs | string) => (typeof outcome === 'string' ? outcome : 'results');

function isNear(a: PlainValue, b: PlainValue): boolean {
  if (a === null || b === null) return a === b;
  if (Array.isArray(a) || Array.isArray(b)) {
    const [x, y] = [a as readonly PlainValue[], b as readonly PlainValue[]];
    return x.length === y.length && x.every((each, i) => isNear(each, y[i] as PlainValue));
  }
  const [x, y] = [a as TensorLike, b as TensorLike];
  if (x.type !== y.type || String(x.dims) !== String(y.dims)) return false;
  const largest = Array.from(y.data, (v) => Math.abs(Number(v)))
    .filter(Number.isFinite)
    .reduce((most, v) => Math.max(most, v), 0);
  return Array.from(y.data).every((v, i) => {
    const w = x.data[i];
    return Object.is(v, w) || Math.abs(Number(v) - Number(w)) <= (UNITS[y.type] ?? TOLERANCE) * largest;
  });
}

interface TensorLike {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<unknown>;
}
