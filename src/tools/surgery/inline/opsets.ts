import { type FunctionProto, OperatorSetIdProto } from '../../../../build/onnx.js';
import { toNumber } from '../../../model/int64.js';
import { domainOf, schemaOf } from '../../schemas/schemas.js';
import { bodiesIn } from '../bodies.js';
import { calledBy } from '../functions.js';

/** Versions of operator sets by domain. */
export type Opsets = Map<string, number>;

export const opsetsOf = (imports: readonly OperatorSetIdProto[]): Opsets =>
  new Map(imports.map(({ domain, version }) => [domainOf(domain), toNumber(version)]));

/**
 * Whether a function means the same under the opsets of where it is called: those that both import agree, or the operators
 * that it has of them are the same in both versions.
 */
export function agree(
  definition: FunctionProto,
  opsets: Opsets,
  functions: ReadonlyMap<string, FunctionProto>,
): boolean {
  const nodes = [...bodiesIn(definition)].flatMap(({ node }) => node).filter((node) => !functions.has(calledBy(node)));
  return [...opsetsOf(definition.opsetImport)].every(([domain, version]) => {
    const other = opsets.get(domain) ?? version;
    if (other === version) return true;
    return nodes
      .filter((node) => domainOf(node.domain) === domain)
      .every(({ opType }) => {
        const schema = schemaOf(domain, opType, version);
        return schema !== undefined && schema === schemaOf(domain, opType, other);
      });
  });
}

/** The imports with those that inlined functions brought along. */
export function addedImports(
  imports: OperatorSetIdProto[],
  { opsets }: { readonly opsets: Opsets },
): OperatorSetIdProto[] {
  const known = opsetsOf(imports);
  const added = [...opsets].filter(([domain]) => !known.has(domain));
  if (added.length === 0) return imports;
  return [...imports, ...added.map(([domain, version]) => new OperatorSetIdProto({ domain, version }))];
}
