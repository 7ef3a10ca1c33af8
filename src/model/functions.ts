import type { FunctionProto, OperatorSetIdProto } from '../../build/onnx.js';
import { SardonyxError } from '../errors.js';
import type { FunctionDefinition } from '../graph/graph.js';
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
  const inputs = proto.input.map((name) => scope.declare(name));
  const nodes = readNodes(proto.node, scope, context);
  const complaint = `is an output of the function ${proto.name}, but nothing makes it`;
  const outputs = proto.output.map((name) => requireValue(scope, name, complaint));
  const defaults = readAttributes(proto.attributeProto, attributeContext(scope, context));
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

/** Calls within calls; at four thousand, inlining them would run out of stack. */
const MOST_NESTED = 512;

/** A function may call others, but not, even through them, itself. */
function refuseRecursion(functions: ReadonlyMap<string, FunctionDefinition>): void {
  const depths = new Map<string, number>();
  const refuse = (definition: FunctionDefinition, complaint: string) =>
    new SardonyxError('INVALID_MODEL', `function ${titleOf(definition)} ${complaint}`);
  const checkDepth = (definition: FunctionDefinition, depth: number) => {
    if (depth > MOST_NESTED) throw refuse(definition, `has calls within calls, more than ${MOST_NESTED} deep`);
  };
  /** How deep the calls of a function go. */
  const visit = (key: string, path: readonly string[]): number => {
    const definition = functions.get(key);
    if (!definition) return 0;
    const known = depths.get(key);
    if (known !== undefined) return known;
    if (path.includes(key)) throw refuse(definition, 'calls itself');
    checkDepth(definition, path.length);
    let depth = 1;
    for (const { domain, op, overload } of nodesOfFunction(definition))
      depth = Math.max(depth, 1 + visit(functionKey(domain, op, overload), [...path, key]));
    checkDepth(definition, depth);
    depths.set(key, depth);
    return depth;
  };
  for (const key of functions.keys()) visit(key, []);
}
