import { OperatorSetIdProto } from '../../../../build/onnx.js';
import { toNumber } from '../../../model/int64.js';
import { domainOf } from '../../schemas/domains.js';

/** Opset versions by domain. */
export type Opsets = Map<string, number>;

export const opsetsOf = (imports: readonly OperatorSetIdProto[]): Opsets =>
  new Map(imports.map(({ domain, version }) => [domainOf(domain), toNumber(version)]));

/** Adds the imports of inlined functions. */
export function addedImports(
  imports: OperatorSetIdProto[],
  { opsets }: { readonly opsets: Opsets },
): OperatorSetIdProto[] {
  const known = opsetsOf(imports);
  const added = [...opsets].filter(([domain]) => !known.has(domain));
  if (added.length === 0) return imports;
  return [...imports, ...added.map(([domain, version]) => new OperatorSetIdProto({ domain, version }))];
}
