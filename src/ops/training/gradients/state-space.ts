import { Emitter } from '../../../analysis/decompose.js';
import { intAttribute } from '../../../graph/attributes.js';
import type { Graph, Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import type { Decomposition } from '../../../schema/definition.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { permutation } from '../../channels-last.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo } from '../../emit.js';
import type { Spellings } from './backward.js';

const HUGE = Number.MAX_SAFE_INTEGER;

/** A depthwise convolution of the past state followed by the input. */
function causalConv(c: Decomposition<{ readonly activation: string }>): Value[] | undefined {
  const [channels, , taps] = c.dims(1) ?? [];
  if (typeof channels !== 'number' || typeof taps !== 'number') return undefined;
  const padded = c.given(3)
    ? emitOne(c, 'Concat', [c.input(3), c.input(0)], { axis: intAttribute(2) })
    : emitOne(c, 'Pad', [c.input(0), listOf(c, [0, 0, taps - 1, 0, 0, 0])]);
  const bias = c.given(2) ? c.input(2) : null;
  const sums = emitOne(c, 'Conv', [padded, c.input(1), bias], { group: intAttribute(channels) });
  const y = c.attributes.activation === 'none' ? sums : emitOne(c, 'Swish', [sums]);
  const kept = [[taps > 1 ? 1 - taps : HUGE], [HUGE], [2]].map((list) => listOf(c, list));
  return [y, emitOne(c, 'Slice', [padded, ...kept])];
}

interface LinearAttributes {
  readonly q_num_heads: number;
  readonly kv_num_heads: number;
  readonly scale: number;
}

interface Sizes {
  /** A number or a symbol. */
  readonly batch: Size;
  readonly kvHeads: number;
  readonly keySize: number;
  readonly valueSize: number;
  /** Query heads for each head of keys and values. */
  readonly shared: number;
  readonly decayWidth: number;
}

function sizesOf(c: Decomposition<LinearAttributes>): Sizes | undefined {
  const { q_num_heads: heads, kv_num_heads: kvHeads } = c.attributes;
  const [q, v, batch] = [c.dims(0)?.[2], c.dims(2)?.[2], c.dims(0)?.[0]];
  if (typeof q !== 'number' || typeof v !== 'number' || batch === undefined) return undefined;
  const keySize = q / heads;
  const decayWidth = c.given(4) && c.dims(4)?.[2] === kvHeads ? 1 : keySize;
  return { batch, kvHeads, keySize, valueSize: v / kvHeads, shared: heads / kvHeads, decayWidth };
}

/** Rows and columns of a step's operands: query, key and value, and decay and beta if given. */
const scannedOf = (c: Decomposition<LinearAttributes>, { keySize, valueSize, shared, decayWidth }: Sizes) =>
  [
    { name: 'query', rows: shared, columns: keySize },
    { name: 'key', rows: keySize, columns: 1 },
    { name: 'value', rows: 1, columns: valueSize },
    null,
    { name: 'decay', rows: decayWidth, columns: 1 },
    { name: 'beta', rows: 1, columns: 1 },
  ].flatMap((one, input) => (one && c.given(input) ? [{ ...one, input }] : []));

/** A state of zeros for each sequence. */
function zeroState(c: Decomposition<LinearAttributes>, { kvHeads, keySize, valueSize }: Sizes): Value {
  const batch = emitOne(c, 'Shape', [c.input(0)], { start: intAttribute(0), end: intAttribute(1) });
  const shape = emitOne(c, 'Concat', [batch, listOf(c, [kvHeads, keySize, valueSize])], { axis: intAttribute(0) });
  const value = tensorOf(c.element(0), [1], [0]);
  return emitOne(c, 'ConstantOfShape', [shape], { value: { type: 'tensor', value } });
}

/**
 * One step. The state, keys by values, decays; it is then updated by beta times the error of its value or, without beta, by the value. The
 * query reads the result.
 */
function linearStep(c: Decomposition<LinearAttributes>, sizes: Sizes, scanned: ReturnType<typeof scannedOf>): Graph {
  const element = c.element(0);
  const value = (name: string, rows: number, columns: number): Value => ({
    name: `${c.node.name}/${name}`,
    type: tensorType(element, [sizes.batch, sizes.kvHeads, rows, columns]),
  });
  const state = value('state', sizes.keySize, sizes.valueSize);
  const own = scanned.map(({ name, rows, columns }) => value(name, rows, columns));
  const named = (name: string) => own[scanned.findIndex((one) => one.name === name)];
  const [query, key, target] = own as [Value, Value, Value];
  const [decay, beta] = [named('decay'), named('beta')];
  const inner = new Emitter(`${c.node.name}/step`);
  const f = arithmeticOn(inner, element);
  const decayed = decay ? f('Mul', state, decay) : f('Identity', state);
  const turned = emitOne(inner, 'Transpose', [key], permutation([0, 1, 3, 2]));
  const change = beta ? f('Mul', beta, f('Sub', target, f('MatMul', turned, decayed))) : target;
  const next = f('Add', decayed, f('Mul', key, change));
  const y = f('Mul', f('MatMul', query, next), c.attributes.scale);
  return { name: 'step', inputs: [state, ...own], nodes: inner.nodes, outputs: [next, y] };
}

/** LinearAttention as a Scan over the steps. */
function linearAttention(c: Decomposition<LinearAttributes>): Value[] | undefined {
  const sizes = sizesOf(c);
  if (!sizes) return undefined;
  const scanned = scannedOf(c, sizes);
  /** [length, batch, kvHeads, rows, columns] */
  const inSteps = scanned.map(({ input, rows, columns }) =>
    emitOne(c, 'Transpose', [reshapeTo(c, c.input(input), [0, 0, -1, rows, columns])], permutation([1, 0, 2, 3, 4])),
  );
  const initial = c.given(3) ? castTo(c, c.input(3), c.element(0)) : zeroState(c, sizes);
  const body = { type: 'graph', value: linearStep(c, sizes, scanned) } as const;
  const attributes = { body, num_scan_inputs: intAttribute(inSteps.length) };
  const [present, results] = c.emit('Scan', [initial, ...inSteps], attributes, 2) as [Value, Value];
  const rows = emitOne(c, 'Transpose', [results], permutation([1, 0, 2, 3, 4]));
  return [reshapeTo(c, rows, [0, 0, c.attributes.q_num_heads * sizes.valueSize]), present];
}

/** Operators that carry a state along a sequence. */
export const stateSpace: Spellings = { CausalConvWithState: causalConv, 'sardonyx:LinearAttention': linearAttention };
