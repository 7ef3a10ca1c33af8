import type { FunctionProto, OperatorSetIdProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import type { FunctionDefinition } from '../graph/graph.js';
import { modelPlace } from '../graph/origins.js';
import { functionKey, nodesOfFunction, operatorName } from '../graph/walk.js';
import { readAttributes } from './attributes.js';
import { attributeContext, domainOf, type ModelContext, readNodes, requireValue } from './graphs.js';
import { toNumber } from './int64.js';
import { Scope } from './scope.js';

export const readOpsets = (imports: readonly OperatorSetIdProto[]): Map<string, number> =>
  new Map(imports.map(({ domain, version }) => [domainOf(domain), toNumber(version)]));

export function readFunctions(protos: readonly FunctionProto[], context: ModelContext): FunctionDefinition[] {
  const functions = new Map<string, FunctionDefinition>();
  for (const proto of protos) {
    const definition = readFunction(proto, context);
    const key = keyOf(definition);
    if (functions.has(key))
      throw new SardonyxError('INVALID_MODEL', `function ${titleOf(definition)} is defined twice`);
    functions.set(key, definition);
  }
  refuseRecursion(functions);
  return [...functions.values()];
}

function readFunction(proto: FunctionProto, context: ModelContext): FunctionDefinition {
  if (!proto.name) throw new SardonyxError('INVALID_MODEL', 'a function has no name');
  const scope = new Scope();
  const place = modelPlace();
  const inputs = proto.input.map((name) => scope.declare(name));
  const nodes = readNodes(proto.node, scope, context, place);
  const complaint = `is an output of the function ${proto.name}, but not defined`;
  const outputs = proto.output.map((name) => requireValue(scope, name, complaint));
  const defaults = readAttributes(proto.attributeProto, attributeContext(scope, context, place));
  return {
    domain: domainOf(proto.domain),
    name: proto.name,
    overload: proto.overload,
    attributes: proto.attribute,
    defaults,
    opsets: readOpsets(proto.opsetImport),
    graph: { name: proto.name, inputs, outputs, nodes },
  };
}

const keyOf = ({ domain, name, overload }: FunctionDefinition): string => functionKey(domain, name, overload);

const titleOf = ({ domain, name, overload }: FunctionDefinition): string =>
  [operatorName({ domain, op: name }), overload].filter(Boolean).join('.');

/** The deepest supported nesting of function calls, because the traversal is recursive. */
const MAX_CALL_DEPTH = 256;

/** Refuses functions that call themselves, directly or through others, or that nest too deeply. */
function refuseRecursion(functions: ReadonlyMap<string, FunctionDefinition>): void {
  const heights = new Map<string, number>();
  const path = new Set<string>();
  const heightOf = (key: string): number => {
    const definition = functions.get(key);
    if (!definition) return 0;
    const known = heights.get(key);
    if (known !== undefined) return known;
    if (path.has(key)) throw new SardonyxError('INVALID_MODEL', `function ${titleOf(definition)} calls itself`);
    path.add(key);
    let height = 0;
    if (path.size <= MAX_CALL_DEPTH)
      for (const { domain, op, overload } of nodesOfFunction(definition))
        height = Math.max(height, heightOf(functionKey(domain, op, overload)));
    if (path.size > MAX_CALL_DEPTH || height >= MAX_CALL_DEPTH) throw tooDeep(definition);
    path.delete(key);
    heights.set(key, height + 1);
    return height + 1;
  };
  for (const key of functions.keys()) heightOf(key);
}

const tooDeep = (definition: FunctionDefinition) =>
  new SardonyxError(
    'INVALID_MODEL',
    `function ${titleOf(definition)} is nested more than ${MAX_CALL_DEPTH} calls deep`,
  );
