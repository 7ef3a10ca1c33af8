import type { FunctionProto, ModelProto, NodeProto } from '../../../../build/onnx.js';
import { functionKey, operatorName } from '../../../graph/walk.js';
import { domainOf } from '../../schemas/domains.js';
import { schemaOf } from '../../schemas/schemas.js';
import { at, type Context, eachRepeated, error, has, needs, type Rule, warning } from '../context.js';
import { metadata, since } from './metadata.js';
import { checkImports } from './model.js';
import { opsetOf } from './node.js';

/** The same limit as in ONNX's checker. Longer call chains may be attacks. */
const MAX_CALL_DEPTH = 100;

export const FUNCTION_RULES: readonly Rule<FunctionProto>[] = [
  (definition, c) => needs(definition, 'name', c),
  (definition, c) => {
    if (c.irVersion >= 8 && !has(definition, 'domain'))
      error(at(c, 'domain'), 'MISSING', 'domain is missing', { value: definition.name });
  },
  ({ opsetImport }, c) => checkImports(opsetImport, c),
  unique('input', ({ input }) => input),
  unique('output', ({ output }) => output),
  unique('attribute', ({ attribute, attributeProto }) => [...attribute, ...attributeProto.map(({ name }) => name)]),
  ({ attributeProto }, c) => attributeProto.length > 0 && since(9, 'attribute_proto', at(c, 'attribute_proto')),
  ({ valueInfo }, c) => valueInfo.length > 0 && since(10, 'value_info', at(c, 'value_info')),
  ({ overload }, c) => overload && since(10, 'overload', at(c, 'overload')),
  metadata,
];

function unique(what: string, names: (definition: FunctionProto) => readonly string[]): Rule<FunctionProto> {
  return (definition, c) =>
    eachRepeated(
      names(definition),
      (name) => name,
      (name) =>
        error(at(c, what), 'DUPLICATE', `duplicate ${what} "${name}" of function ${definition.name}`, {
          value: name,
        }),
    );
}

const keyOf = ({ domain, name, overload }: FunctionProto): string => functionKey(domainOf(domain), name, overload);

const titleOf = ({ domain, name, overload }: FunctionProto): string =>
  [operatorName({ domain: domainOf(domain), op: name }), overload].filter(Boolean).join(':');

export const functionsOf = (functions: readonly FunctionProto[]): Map<string, FunctionProto> =>
  new Map(functions.map((definition) => [keyOf(definition), definition]));

export function uniqueFunctions({ functions }: ModelProto, c: Context): void {
  eachRepeated(functions, keyOf, (definition, i) =>
    error(at(c, 'functions', i), 'DUPLICATE', `the function ${titleOf(definition)} is defined twice`, {
      value: definition.name,
    }),
  );
}

/** Yields the nodes of a body and its subgraphs. */
function* nodesIn(nodes: readonly NodeProto[], depth = 0): Generator<NodeProto> {
  if (depth > MAX_CALL_DEPTH) return;
  for (const node of nodes) {
    yield node;
    for (const { g, graphs } of node.attribute)
      for (const graph of g ? [g, ...graphs] : graphs) yield* nodesIn(graph.node, depth + 1);
  }
}

/** Reports functions that call themselves, directly or through others, and long call chains. */
export function noRecursion({ functions }: ModelProto, c: Context): void {
  const places = new Map(functions.map((definition, i) => [definition, i]));
  const callees = functions.map((definition) => [
    ...new Set(
      [...nodesIn(definition.node)].flatMap(({ domain, opType, overload }) => {
        const callee = c.functions.get(functionKey(domainOf(domain), opType, overload));
        return callee ? [places.get(callee) ?? 0] : [];
      }),
    ),
  ]);
  const done = new Set<number>();
  for (const root of functions.keys()) if (!done.has(root)) follow(root, callees, functions, done, c);
}

/** Searches depth first with an explicit stack, as there may be thousands of functions. */
function follow(
  root: number,
  callees: readonly (readonly number[])[],
  functions: readonly FunctionProto[],
  done: Set<number>,
  c: Context,
): void {
  const path = [root];
  const next = [0];
  while (path.length > 0) {
    const callee = callees[path.at(-1) as number]?.[next.at(-1) as number];
    next[next.length - 1] = (next.at(-1) as number) + 1;
    if (callee === undefined) {
      done.add(path.pop() as number);
      next.pop();
    } else if (path.includes(callee)) recursive([...path.slice(path.indexOf(callee)), callee], functions, c);
    else if (!done.has(callee) && path.length <= MAX_CALL_DEPTH) {
      path.push(callee);
      next.push(0);
      if (path.length === MAX_CALL_DEPTH + 1)
        error(at(c, 'functions', root), 'NESTING', `function calls are nested more than ${MAX_CALL_DEPTH} deep`);
    }
  }
}

function recursive(cycle: readonly number[], functions: readonly FunctionProto[], c: Context): void {
  const titles = cycle.map((i) => titleOf(functions[i] as FunctionProto));
  error(at(c, 'functions', cycle[0] as number), 'RECURSION', `recursive function call: ${titles.join(' -> ')}`, {
    value: functions[cycle[0] as number]?.name,
  });
}

/** Checks that a call has no more inputs, outputs and attributes than the function declares. */
export function checkCall(node: NodeProto, callee: FunctionProto, c: Context): void {
  for (const field of ['input', 'output'] as const)
    if (node[field].length > callee[field].length)
      error(
        at(c, field),
        'ARITY',
        `the node has ${node[field].length} ${field}s; the function has ${callee[field].length}`,
        {
          hint: callee[field].join(', '),
        },
      );
  const known = [...callee.attribute, ...callee.attributeProto.map(({ name }) => name)];
  for (const { name } of node.attribute)
    if (!known.includes(name))
      warning(at(c, 'attribute', name), 'UNKNOWN_ATTRIBUTE', `the function ${callee.name} has no attribute "${name}"`, {
        value: name,
      });
}

/** Checks that an operator in a function's body is the same version under the function's and the model's opsets. */
export function compatibleOpset(node: NodeProto, model: ReadonlyMap<string, number>, c: Context): void {
  const own = opsetOf(node, c);
  const outer = model.get(domainOf(node.domain));
  if (own === undefined || outer === undefined || own === outer || c.skipOpsetCompatibility) return;
  const [a, b] = [schemaOf(node.domain, node.opType, own), schemaOf(node.domain, node.opType, outer)];
  if (a?.since === b?.since) return;
  const domain = domainOf(node.domain) || 'ai.onnx';
  error(
    at(c, 'op_type'),
    'VERSION',
    `${node.opType} of ${domain} ${own}, which the function imports, differs from ${node.opType} of ${domain} ${outer}`,
    {
      hint: `the model imports ${domain} ${outer}`,
    },
  );
}
