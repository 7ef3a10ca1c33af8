import type { NodeProto } from '../../../build/onnx.js';
import type { NamePattern, QuantizeOptions } from './options.js';

type Choice = Pick<QuantizeOptions, 'include' | 'exclude'>;

/** Whether to quantize a node, by its name and those of its outputs and weight. */
export function isWanted({ name, output }: NodeProto, weight: string, { include, exclude = [] }: Choice): boolean {
  const isMeant = (patterns: readonly NamePattern[]) => isNamed([name, weight, ...output], patterns);
  return (!include || isMeant(include)) && !isMeant(exclude);
}

/** Whether a pattern matches one of the names. */
export const isNamed = (names: readonly string[], patterns: readonly NamePattern[]): boolean =>
  patterns.some((pattern) => names.some((name) => expression(pattern).test(name)));

const expression = (pattern: NamePattern): RegExp =>
  typeof pattern === 'string'
    ? new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`)
    : new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
