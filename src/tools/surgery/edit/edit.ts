import type { Model } from '../../../model/document/model.js';
import { schemaOf } from '../../schemas/schemas.js';
import { begin, type Edit } from './edit-now.js';
import type { DeclaredType } from './graph.js';

const declared: DeclaredType = ({ domain, op }, attribute, opsets) =>
  schemaOf(domain, op, opsets.get(domain) ?? Number.POSITIVE_INFINITY)?.attributes.get(attribute)?.type;

/**
 * Changes a model's graph and functions through objects in which values know their producers and readers. Nodes are
 * sorted afterwards, and unchanged parts are preserved.
 * @throws SardonyxError INVALID_GRAPH if nodes form a cycle or a value that is read has no producer
 */
export async function edit(model: Model, change: Edit<void | Promise<void>>): Promise<Model> {
  const session = begin(model, declared);
  await change(session.graph, session.functions);
  return session.end();
}
