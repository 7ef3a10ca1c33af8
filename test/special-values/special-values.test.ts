import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadGroups } from '../../src/groups/load-groups.js';
import { findOperator } from '../../src/schema/registry.js';
import { combinationsOf } from '../conformance/combinations.js';
import type { Combination } from '../conformance/recipe.js';
import { readSchemas, type Schema } from '../conformance/schemas.js';
import { choicesOf } from '../fuzz/graphs/choices.js';
import { shared } from '../shared-data.js';
import { byTier, sampleByTier } from '../tier.js';
import { differenceOf, type Measure } from './compare.js';
import { type Outcome, outcomeIn, type SpecialNode, specialNode, WAYS } from './ways.js';

/** Every operator on every type, on infinities, NaN, zeros, subnormal numbers and limits: fed, constant, by the reference and on relaxed SIMD. */
const test = suite('special values every way');

const SEED = Number(process.env.SEED ?? 5);
const NODES = { quick: 60, ci: 160, all: Number.POSITIVE_INFINITY };
/** Of each node. */
const SEEDS = byTier({ quick: 1, ci: 1, all: 10 });

/** Operators that draw numbers, or that have bodies. */
const LEFT_OUT = /^(Random|Multinomial|Bernoulli|Dropout$|Gradient$|If$|Loop$|Scan$|SequenceMap$|SequenceEmpty$)/;

/** What sums or multiplies many numbers, or is computed in several steps: these overflow in float32 where double precision does not. */
const SUMMING =
  /Attention|Conv|Gemm|MatMul|Einsum|Norm|Pool|^Reduce(Sum|Mean|Prod|L1|L2|Log)|^(Mean|Sum|CumSum|CumProd|LRN|DFT|STFT|Det|Col2Im|GRU|LSTM|RNN|Softmax|LogSoftmax|Hardmax|MelWeightMatrix|Resize|Upsample|GridSample|RoiAlign|Adam|Adagrad|Momentum|.*Loss|AffineGrid|RotaryEmbedding|Scatter.*|MaxRoiPool|Swish|Mish|Gelu|Erf|.*Cosh?|.*Sinh?|.*Tanh?|Exp|Pow|Log|Celu|Softplus|Softsign)$/;

interface Planned {
  readonly combination: Combination;
  readonly form: SpecialNode['form'];
  readonly reach: 'moderate' | 'any';
  readonly name: string;
}

function planned(schema: Schema): Planned[] {
  const reaches = SUMMING.test(schema.op) ? (['moderate'] as const) : (['moderate', 'any'] as const);
  return combinationsOf(schema).flatMap((combination) =>
    (['smallest', 'fullest'] as const).flatMap((form) =>
      reaches.map((reach) => ({
        combination,
        form,
        reach,
        name: `${schema.domain}:${schema.op} ${combination.label} ${form} ${reach}`,
      })),
    ),
  );
}

function newestOf(schemas: readonly Schema[]): Schema[] {
  const newest = new Map<string, Schema>();
  for (const schema of schemas) {
    const key = `${schema.domain}:${schema.op}`;
    const known = newest.get(key);
    if (!LEFT_OUT.test(schema.op) && schema.since > (known?.since ?? 0)) newest.set(key, schema);
  }
  return [...newest.values()].filter(({ domain, op }) => findOperator(domain, op, 99)?.deterministic);
}

const measureFor = (op: string): Measure =>
  op.startsWith('Cast') ? 'bits' : /Normalization$|Attention$/.test(op) ? 'steps' : 'numbers';

async function faultOf(node: SpecialNode): Promise<string | undefined> {
  let first: Outcome | undefined;
  for (const way of WAYS) {
    const outcome = await outcomeIn(way, node);
    first ??= outcome;
    const found = differenceOf(first, outcome, measureFor(node.combination.schema.op));
    if (found) return `${WAYS[0]?.name} and ${way.name}: ${found}`;
  }
  return undefined;
}

const hash = (text: string) => [...text].reduce((h, c) => Math.imul(h ^ c.charCodeAt(0), 0x01000193), SEED);

const folder = shared('onnx-schemas');

if (folder) {
  await loadGroups();
  const all = newestOf(readSchemas(folder)).flatMap(planned);
  const chosen = sampleByTier(all, NODES, ({ name }) => name);
  const operatorOf = ({ combination: { schema } }: Planned) => `${schema.domain}:${schema.op}`;
  const byOperator = new Map<string, Planned[]>();
  for (const each of chosen) byOperator.set(operatorOf(each), [...(byOperator.get(operatorOf(each)) ?? []), each]);
  for (const [operator, nodes] of byOperator)
    test(operator, async () => {
      const wrong: string[] = [];
      for (const { combination, form, reach, name } of nodes)
        for (let seed = 0; seed < SEEDS; seed++) {
          const node = specialNode(choicesOf(hash(name) + seed), combination, form, reach);
          const fault = await faultOf(node);
          if (fault) wrong.push(`${name}, seed ${seed}: ${fault}`);
        }
      if (process.env.FAULTS) for (const each of wrong) console.log(each);
      assert.is(wrong.slice(0, 3).join('\n'), '', `${wrong.length} faults`);
    });
  test.after(() => console.log(`${chosen.length * SEEDS} nodes, each ${WAYS.length} ways`));
  test.run();
}
