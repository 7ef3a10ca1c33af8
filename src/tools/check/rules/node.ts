import type { NodeProto } from '../../../../build/onnx.js';
import { didYouMean } from '../../../advice/near.js';
import { functionKey } from '../../../graph/walk.js';
import { domainOf, NEWEST } from '../../schemas/domains.js';
import { operatorsOf, type Schema, schemaOf, sinceOf } from '../../schemas/schemas.js';
import { at, type Context, eachRepeated, error, nameOf, needs, type Rule, warning } from '../context.js';
import { deviceRules } from './device.js';
import { metadata, since } from './metadata.js';

/** Experimental operators of early versions. ONNX accepts them unchecked. */
const EXPERIMENTAL: readonly string[] = [
  'ATen',
  'Affine',
  'ConstantFill',
  'Crop',
  'DynamicSlice',
  'GRUUnit',
  'GivenTensorFill',
  'ImageScaler',
  'ParametricSoftplus',
  'Scale',
  'ScaledTanh',
];

/** Domains in which every operator is known. The preview domains may have newer operators. */
const COMPLETE: readonly string[] = ['', 'ai.onnx.ml', 'ai.onnx.training'];

export const NODE_RULES: readonly Rule<NodeProto>[] = [
  (node, c) => needs(node, 'opType', c),
  doesSomething,
  importsDomain,
  attributeNames,
  isKnown,
  (node, c) => node.overload && since(10, 'overload', at(c, 'overload')),
  ...deviceRules,
  metadata,
];

function doesSomething({ input, output }: NodeProto, c: Context): void {
  if (input.length === 0 && output.length === 0) error(c, 'ARITY', 'the node has neither inputs nor outputs');
}

export const opsetOf = ({ domain }: Pick<NodeProto, 'domain'>, c: Context): number | undefined =>
  c.opsets.get(domainOf(domain));

function importsDomain(node: NodeProto, c: Context): void {
  if (opsetOf(node, c) !== undefined) return;
  const domain = domainOf(node.domain) || 'ai.onnx';
  error(at(c, 'domain'), 'UNKNOWN_DOMAIN', `the domain ${domain} is not imported`, {
    hint: `imported: ${[...c.opsets.keys()].map((name) => name || 'ai.onnx').join(', ') || 'none'}`,
  });
}

function attributeNames({ attribute }: NodeProto, c: Context): void {
  eachRepeated(
    attribute,
    ({ name }) => name,
    ({ name }) => error(at(c, 'attribute', name), 'DUPLICATE', `duplicate attribute "${name}"`, { value: name }),
  );
}

/** The model function that a node calls. */
export const calleeOf = ({ domain, opType, overload }: NodeProto, c: Context) =>
  c.functions.get(functionKey(domainOf(domain), opType, overload));

/** The schema of a node's operator; undefined for other domains, functions and experimental operators. */
export function declarationOf(node: NodeProto, c: Context): Schema | undefined {
  const opset = opsetOf(node, c);
  if (opset === undefined || isExperimental(node) || calleeOf(node, c)) return undefined;
  const schema = schemaOf(node.domain, node.opType, opset);
  return schema?.deprecated ? undefined : schema;
}

const isExperimental = ({ domain, opType }: NodeProto): boolean =>
  domainOf(domain) === '' && EXPERIMENTAL.includes(opType);

function isKnown(node: NodeProto, c: Context): void {
  const opset = opsetOf(node, c);
  if (!node.opType || opset === undefined || calleeOf(node, c)) return;
  const place = at(c, 'op_type');
  if (isExperimental(node)) {
    warning(place, 'DEPRECATED', `${node.opType} was experimental and has been removed from ONNX`);
    return;
  }
  const schema = schemaOf(node.domain, node.opType, opset);
  const domain = domainOf(node.domain);
  if (schema?.deprecated)
    error(
      place,
      'DEPRECATED',
      `${nameOf(node)} is deprecated since opset ${schema.since}; the model has opset ${opset}`,
    );
  else if (!schema && c.functionNames.has(nameOf(node)))
    error(place, 'UNKNOWN_OPERATOR', `the function ${nameOf(node)} has no overload "${node.overload}"`, {
      value: node.overload,
    });
  else if (!schema && (COMPLETE.includes(domain) || c.customDomains))
    error(place, 'UNKNOWN_OPERATOR', `${domain || 'ai.onnx'} ${opset} has no operator ${node.opType}`, {
      hint: () => whereElse(node, domain),
    });
}

function whereElse({ opType }: NodeProto, domain: string): string | undefined {
  const [first] = sinceOf(domain, opType);
  if (first !== undefined) return `added in opset ${first}`;
  const home = [...NEWEST.keys()].find((name) => sinceOf(name, opType).length > 0);
  if (home !== undefined) return `the domain ${home || 'ai.onnx'} has it`;
  return didYouMean(opType, operatorsOf(domain)).replace(/^; /, '') || undefined;
}
