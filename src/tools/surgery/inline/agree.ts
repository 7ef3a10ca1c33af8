import type { FunctionProto } from '../../../../build/onnx.js';
import { domainOf } from '../../schemas/domains.js';
import { schemaOf } from '../../schemas/schemas.js';
import { bodiesIn } from '../bodies.js';
import { calledBy } from '../functions.js';
import { type Opsets, opsetsOf } from './opsets.js';

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
