import type { ModelProto } from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import { withChanges } from '../../../model/document/changed.js';
import { type Body, bodiesIn, bodiesOf } from '../bodies.js';
import { calledBy, functionsByKey, keyOf } from '../functions.js';

/**
 * The maximum number of nodes after inlining. Functions that call others twice, which call others twice …, would exceed
 * any memory.
 */
const MOST_NODES = 1_000_000;

/** Throws if functions are recursive or if inlining would exceed the limit. */
export function refuseEndless(model: ModelProto): void {
  const known = functionsByKey(model);
  const callsIn = (body: Body) => [...bodiesIn(body)].flatMap(({ node }) => node.map(calledBy));
  const left = new Map(model.functions.map((definition) => [keyOf(definition), callsIn(definition)]));
  /** The number of nodes that a call expands to. */
  const sizes = new Map<string, number>();
  const sizeOf = (calls: readonly string[]) => calls.reduce((sum, key) => sum + (sizes.get(key) ?? 1), 0);
  // A function that calls none of the remaining ones is not recursive.
  for (let before = -1; sizes.size !== before; ) {
    before = sizes.size;
    for (const [key, calls] of left) {
      if (calls.some((callee) => left.has(callee))) continue;
      sizes.set(key, sizeOf(calls));
      left.delete(key);
    }
  }
  for (const key of left.keys()) {
    const { domain = '', name = '' } = known.get(key) ?? {};
    throw new SardonyxError('INVALID_MODEL', `the function ${domain}.${name} is recursive`);
  }
  const outside = [...bodiesOf(withChanges(model, { functions: [] }))];
  if (outside.reduce((sum, { node }) => sum + sizeOf(node.map(calledBy)), 0) > MOST_NODES)
    throw new SardonyxError('LIMIT', `inlining would create more than ${MOST_NODES} nodes`);
}
