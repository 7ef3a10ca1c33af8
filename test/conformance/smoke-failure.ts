import { inferGraph } from '../../src/analysis/infer-graph.js';
import { formatType, type ValueType } from '../../src/graph/types.js';
import { bindOpsets } from '../../src/model/bind-opsets.js';
import { readModel } from '../../src/model/read-model.js';
import { findOperator } from '../../src/schema/registry.js';
import type { Results } from '../../src/session/inference-session.js';
import { dataLength, type ElementType } from '../../src/tensor/element-types.js';
import { elementCount, type HostValue, isTensorValue } from '../../src/tensor/tensor-value.js';
import { isAtLeast } from '../tier.js';
import { DEFAULT_TOLERANCE, difference } from './compare.js';
import type { Combination } from './recipe.js';
import { type Form, hasFullest, type SmokeModel, smokeModel } from './smoke-model.js';
import { fastest, nameOf, openAt, type Stage } from './stages.js';

const RAW: Stage = { form: 'raw', variant: 'simd' };
const OPTIMIZED: Stage = { form: 'optimized', variant: fastest };

/** Ways to run a form: raw runs of the fullest node can be compared with optimized ones of the constant node, which is as full. */
function stagesFor(form: Form, isFullest: boolean): readonly Stage[] {
  if (form === 'constant') return [OPTIMIZED];
  if (isAtLeast('all')) return [RAW, OPTIMIZED];
  if (!isFullest) return [OPTIMIZED];
  return form === 'fullest' ? [RAW] : [RAW, OPTIMIZED];
}

/** The combinations of one operator version that do not run, and why. */
export async function smokeFailures(combinations: readonly Combination[]): Promise<Map<Combination, string>> {
  const failures = new Map<Combination, string>();
  if (!(await smokeFailure(combinations))) return failures;
  for (const combination of combinations) {
    const failure = await smokeFailure([combination]);
    if (failure) failures.set(combination, failure);
  }
  return failures;
}

async function smokeFailure(combinations: readonly Combination[]): Promise<string | undefined> {
  const [first] = combinations as [Combination];
  const forms: Form[] = hasFullest(first) ? ['smallest', 'fullest', 'constant'] : ['smallest', 'constant'];
  let kept: Results | undefined;
  for (const form of forms) {
    try {
      const model = smokeModel(combinations, form);
      const isComparable = findOperator(first.schema.domain, first.schema.op, first.schema.since)?.deterministic;
      if (form !== 'constant') kept = undefined;
      for (const stage of stagesFor(form, form === forms.at(-2))) {
        const results = await run(model, stage);
        const problem = mismatches(model, results) ?? (isComparable && kept && disagreement(results, kept));
        if (problem) return `${form}, ${nameOf(stage)}: ${problem}`;
        kept ??= results;
      }
    } catch (error) {
      return `${form}: ${(error as Error).message}`;
    }
  }
  return undefined;
}

async function run({ bytes, feeds }: SmokeModel, stage: Stage): Promise<Results> {
  const session = await openAt(stage, bytes);
  const results = await session.run(feeds);
  await session.release();
  return results;
}

/** Kernels round halves after each operator, the host once: the last bit may differ. */
const tolerance = (type: ElementType | undefined) =>
  type?.startsWith('float8')
    ? 0.13
    : type === 'bfloat16'
      ? 0.01
      : type === 'float16'
        ? 0.002
        : DEFAULT_TOLERANCE.relative;

/** Where two ways to run the same node differ. */
function disagreement(results: Results, others: Results): string | undefined {
  for (const [name, expected] of Object.entries(others)) {
    const relative = tolerance(isTensorValue(expected) ? expected.type : undefined);
    const found = difference(results[name] as HostValue, expected, { relative, absolute: 1e-6 });
    if (found) return `${name} is ${found}, which the first run gave`;
  }
  return undefined;
}

/** What keeps the results from being of the types that the schema and shape inference say. */
function mismatches({ bytes, outputs }: SmokeModel, results: Results): string | undefined {
  const inferred = inferredTypes(bytes);
  for (const [name, type] of outputs) {
    const value = results[name] as HostValue;
    const found = mismatch(value, type) ?? mismatch(value, inferred.get(name));
    if (found) return found;
  }
  return undefined;
}

function inferredTypes(bytes: Uint8Array): Map<string, ValueType | undefined> {
  const { graph, opsets } = readModel(bytes);
  bindOpsets(graph, opsets);
  const facts = inferGraph(graph);
  return new Map(graph.outputs.map((value) => [value.name, facts.get(value)?.type]));
}

/** What keeps `value` from being of `type`. */
function mismatch(value: HostValue, type: ValueType | undefined): string | undefined {
  if (!type || (type.kind === 'optional' && value === null)) return undefined;
  if (type.kind === 'optional') return mismatch(value, type.of);
  const wrong = `the result is not ${formatType(type)}`;
  if (type.kind === 'sequence') {
    return Array.isArray(value) ? value.map((element) => mismatch(element, type.of)).find(Boolean) : wrong;
  }
  if (type.kind === 'map') return value instanceof Map ? undefined : wrong;
  if (!isTensorValue(value)) return wrong;
  const { dims } = type;
  const fits =
    value.type === type.element &&
    value.data.length === dataLength(value.type, elementCount(value.dims)) &&
    (!dims ||
      (dims.length === value.dims.length && dims.every((d, i) => typeof d !== 'number' || d === value.dims[i])));
  return fits ? undefined : `the result is ${value.type}[${value.dims}], not ${formatType(type)}`;
}
