import { intAttribute } from '../../../graph/attributes.js';
import { tensorType } from '../../../graph/types.js';
import {
  foldIn,
  foldOf,
  POOL_ATTRIBUTES,
  type PoolAttributes,
  type PoolKind,
  poolWindows,
} from '../../../primitives/pool.js';
import { maximaOf, poolOnHost } from '../../../primitives/pool-on-host.js';
import { hasWindowKernel, type KnownWindow, poolAttributes } from '../../../primitives/window.js';
import { type AttributeSpecs, float } from '../../../schema/attributes.js';
import {
  type AnyOperator,
  type Decomposition,
  defineOp,
  type Evaluation,
  type Inference,
} from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { throughChannelsLast } from '../../channels-last.js';
import { throughFloat32 } from '../../through-float32.js';

interface PoolDeclaration {
  readonly since?: number;
  readonly types?: readonly ElementType[];
  readonly attributes?: AttributeSpecs;
}

/** Defines a pool on [N, C, spatial…]; output 1, which only MaxPool has, holds the indices of the maxima. */
function pool(
  kind: PoolKind,
  { since = 1, types = FLOATS, attributes = POOL_ATTRIBUTES[kind] }: PoolDeclaration = {},
): AnyOperator {
  return defineOp({
    name: `${kind}Pool`,
    since,
    types: { T: types },
    attributes: { ...poolAttributes, ...attributes } as typeof poolAttributes,
    signature: kind === 'Max' ? 'X: T -> Y: T, Indices?: int64' : 'X: T -> Y: T',
    infer(c: Inference<PoolAttributes>) {
      const dims = c.dims(0);
      const out = dims && [...dims.slice(0, 2), ...poolWindows(c, dims.slice(2)).map((w) => w.out)];
      return [tensorType(c.element(0), out), tensorType('int64', out)];
    },
    decompose(c: Decomposition<PoolAttributes>) {
      const rank = c.attributes.kernel_shape.length + 2;
      const { p = 2 } = c.attributes;
      if (c.wanted(1) || !hasWindowKernel(rank) || !Number.isInteger(p)) return undefined;
      const ordered = c.node.attributes.p ? { ...c.node.attributes, p: intAttribute(p) } : c.node.attributes;
      if (c.element(0) !== 'float32') return throughFloat32(c, [c.element(0)], ordered);
      return throughChannelsLast(c, rank, [], ordered);
    },
    evaluate(c: Evaluation<PoolAttributes>) {
      const x = c.tensor(0);
      const windows = poolWindows(c, x.dims.slice(2)) as KnownWindow[];
      const y = poolOnHost(x, windows, foldOf(foldIn(kind, c.attributes)));
      return c.wanted(1) ? [y, maximaOf(x, windows, c.attributes.storage_order === 1)] : [y];
    },
  });
}

/** https://onnx.ai/onnx/operators/onnx__MaxPool.html */
export const maxPool = pool('Max', { types: [...FLOATS, 'int8', 'uint8'] });

/** https://onnx.ai/onnx/operators/onnx__AveragePool.html */
export const averagePool = pool('Average');

/** https://onnx.ai/onnx/operators/onnx__LpPool.html; in the first version, p is a float. */
export const lpPool = [pool('Lp', { since: 2 }), pool('Lp', { attributes: { p: float(2) } })];
