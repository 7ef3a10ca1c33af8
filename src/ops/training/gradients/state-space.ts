import { Emitter } from '../../../analysis/decompose.js';
import { intAttribute } from '../../../graph/attributes.js';
import type { Graph, Value } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import type { Decomposition } from '../../../schema/definition.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { permutation } from '../../channels-last.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo } from '../../emit.js';
import type { Spellings } from './backward.js';

const HUGE = Number.MAX_SAFE_INTEGER;

/** A depthwise convolution of what came before and the input. */
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

/**
 * Step by step: the state, keys by values, decays, moves by beta times what it gets wrong of the value, or without beta by
 * the value, and is read by the query.
 */
function linearAttention(c: Decomposition<LinearAttributes>): Value[] | undefined {
  const { q_num_heads: heads, kv_num_heads: kvHeads, scale } = c.attributes;
  const [q, v] = [c.dims(0)?.[2], c.dims(2)?.[2]];
  const batch = c.dims(0)?.[0];
  if (typeof q !== 'number' || typeof v !== 'number' || batch === undefined) return undefined;
  const [keySize, valueSize, shared] = [q / heads, v / kvHeads, heads / kvHeads];
  const element = c.element(0);
  /** [length, batch, kvHeads, rows, columns] */
  const steps = (value: Value, rows: number, columns: number) =>
    emitOne(c, 'Transpose', [reshapeTo(c, value, [0, 0, -1, rows, columns])], permutation([1, 0, 2, 3, 4]));
  const decayWidth = c.given(4) && c.dims(4)?.[2] === kvHeads ? 1 : keySize;
  const scanned = [
    steps(c.input(0), shared, keySize),
    steps(c.input(1), keySize, 1),
    steps(c.input(2), 1, valueSize),
    ...(c.given(4) ? [steps(c.input(4), decayWidth, 1)] : []),
    ...(c.given(5) ? [steps(c.input(5), 1, 1)] : []),
  ];
  const size = emitOne(c, 'Shape', [c.input(0)], { start: intAttribute(0), end: intAttribute(1) });
  const shape = emitOne(c, 'Concat', [size, listOf(c, [kvHeads, keySize, valueSize])], { axis: intAttribute(0) });
  const zeros = () =>
    emitOne(c, 'ConstantOfShape', [shape], { value: { type: 'tensor', value: tensorOf(element, [1], [0]) } });
  const initial = c.given(3) ? castTo(c, c.input(3), element) : zeros();

  const value = (name: string, rows: number, columns: number): Value => ({
    name: `${c.node.name}/${name}`,
    type: tensorType(element, [batch, kvHeads, rows, columns]),
  });
  const state = value('state', keySize, valueSize);
  const own = [value('query', shared, keySize), value('key', keySize, 1), value('value', 1, valueSize)] as const;
  const decay = c.given(4) ? value('decay', decayWidth, 1) : null;
  const beta = c.given(5) ? value('beta', 1, 1) : null;
  const inner = new Emitter(`${c.node.name}/step`);
  const f = arithmeticOn(inner, element);
  const decayed = decay ? f('Mul', state, decay) : f('Identity', state);
  const [query, key, target] = own;
  const turned = emitOne(inner, 'Transpose', [key], permutation([0, 1, 3, 2]));
  const change = beta ? f('Mul', beta, f('Sub', target, f('MatMul', turned, decayed))) : target;
  const next = f('Add', decayed, f('Mul', key, change));
  const y = f('Mul', f('MatMul', query, next), scale);
  const inputs = [state, ...own, ...[decay, beta].filter((gate) => gate !== null)];
  const body: Graph = { name: 'step', inputs, nodes: inner.nodes, outputs: [next, y] };
  const attributes = { body: { type: 'graph', value: body }, num_scan_inputs: intAttribute(scanned.length) } as const;
  const [present, results] = c.emit('Scan', [initial, ...scanned], attributes, 2) as [Value, Value];
  const rows = emitOne(c, 'Transpose', [results], permutation([1, 0, 2, 3, 4]));
  return [reshapeTo(c, rows, [0, 0, heads * valueSize]), present];
}

/** Operators that carry a state along a sequence. */
export const stateSpace: Spellings = { CausalConvWithState: causalConv, 'sardonyx:LinearAttention': linearAttention };
