import { SardonyxError } from '../base/errors.js';
import type { Node } from '../graph/graph.js';
import { readAttributes } from './attributes.js';
import type { AnyOperator } from './definition.js';

const VERSIONS = new Map<string, AnyOperator[]>();

type Test = (operator: AnyOperator) => boolean;

/** Results of `operatorsWith` for the operators registered so far. */
const namesByTest = new Map<Test, readonly string[]>();

/** An operator, or its versions. */
export type Definition = AnyOperator | readonly AnyOperator[];

/** Registers the operators that a module exports. */
export function register(module: Readonly<Record<string, Definition>>): void {
  namesByTest.clear();
  for (const operator of Object.values(module).flat()) {
    const key = `${operator.domain}:${operator.name}`;
    const versions = VERSIONS.get(key);
    if (versions) versions.push(operator);
    else VERSIONS.set(key, [operator]);
    versions?.sort((a, b) => b.since - a.since);
  }
}

const domainOf = (domain: string) => (domain === 'ai.onnx' ? '' : domain);

/** The definition of an operator for an opset version of its domain. */
export function findOperator(domain: string, name: string, opset: number): AnyOperator | undefined {
  return VERSIONS.get(`${domainOf(domain)}:${name}`)?.find((operator) => operator.since <= opset);
}

/** All loaded definitions, the newest version of each operator first. */
export const allOperators = (): AnyOperator[] => [...VERSIONS.values()].flat();

/** A node's definition, and its attributes as declared there. */
export interface Binding {
  readonly operator: AnyOperator;
  attributes?: Record<string, unknown>;
}

function bindingOf(node: Node): Binding {
  if (node.binding) return node.binding as Binding;
  const operator = findOperator(node.domain, node.op, node.opset ?? Number.POSITIVE_INFINITY);
  if (!operator) throw unknownOperator(node);
  const binding: Binding = { operator };
  node.binding = binding;
  return binding;
}

/** The definition for a node's domain, name and opset; looked up once. */
export const operatorOf = (node: Node): AnyOperator => bindingOf(node).operator;

/** The node's attributes as its operator declares them; read once. */
export function attributesOf(node: Node): Record<string, unknown> {
  const binding = bindingOf(node);
  binding.attributes ??= readAttributes(node, binding.operator.attributes);
  return binding.attributes;
}

/** All known versions of an operator, the newest first. */
export const versionsOf = (domain: string, name: string): readonly AnyOperator[] =>
  VERSIONS.get(`${domainOf(domain)}:${name}`) ?? [];

/** The oldest known version of an operator, if any. */
export const sinceOf = (domain: string, name: string): number | undefined => versionsOf(domain, name).at(-1)?.since;

/** The error for a node that was added after the model was checked. */
const unknownOperator = ({ domain, op, name }: Node) =>
  new SardonyxError('UNSUPPORTED_OPERATOR', `no such operator in domain ${domain || 'ai.onnx'}`, {
    node: name,
    operator: op,
  });

/** Names, `Name` or `domain:Name`, of operators with a version for which `test`, a function of a module, is true. */
export function operatorsWith(test: Test): readonly string[] {
  const known = namesByTest.get(test);
  if (known) return known;
  const passing = allOperators().filter(test);
  const names = [...new Set(passing.map(({ domain, name }) => (domain ? `${domain}:${name}` : name)))];
  namesByTest.set(test, names);
  return names;
}
