import type { FunctionProto } from '../../../../build/onnx.js';
import { domainOf } from '../../schemas/domains.js';
import { schemaOf } from '../../schemas/schemas.js';
import { bodiesIn } from '../bodies.js';
import { calledBy } from '../functions.js';
import { type Opsets, opsetsOf } from './opsets.js';

/**
 * Whether a function has the same meaning under the opsets of its caller: versions of common domains are equal, or the
 * operators that the function uses did not change between them.
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
