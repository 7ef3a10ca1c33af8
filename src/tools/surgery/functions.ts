import type { FunctionProto, ModelProto, NodeProto } from '../../../build/onnx.js';
import { functionKey } from '../../graph/walk.js';
import { domainOf } from '../schemas/domains.js';
import { type Body, bodiesIn } from './bodies.js';

export const keyOf = ({ domain, name, overload }: Pick<FunctionProto, 'domain' | 'name' | 'overload'>): string =>
  functionKey(domainOf(domain), name, overload);

/** The key of the function that a node would call. */
export const calledBy = ({ domain, opType, overload }: NodeProto): string =>
  functionKey(domainOf(domain), opType, overload);

export const functionsByKey = ({ functions }: ModelProto): Map<string, FunctionProto> =>
  new Map(functions.map((definition) => [keyOf(definition), definition]));

/** The keys of the functions that bodies call, directly or indirectly. */
export function functionsCalledIn(bodies: Iterable<Body>, known: ReadonlyMap<string, FunctionProto>): Set<string> {
  const found = new Set<string>();
  const open = [...bodies];
  for (let body = open.pop(); body; body = open.pop())
    for (const node of body.node) {
      const key = calledBy(node);
      const definition = known.get(key);
      if (!definition || found.has(key)) continue;
      found.add(key);
      open.push(...bodiesIn(definition));
    }
  return found;
}
