import type { Model } from '../../../model/document/model.js';
import { schemaOf } from '../../schemas/schemas.js';
import { begin, type Edit } from './edit-now.js';
import type { DeclaredType } from './graph.js';

const declared: DeclaredType = ({ domain, op }, attribute, opsets) =>
  schemaOf(domain, op, opsets.get(domain) ?? Number.POSITIVE_INFINITY)?.attributes.get(attribute)?.type;

/**
 * The model after changes of its graph and functions, in which values know who makes and who reads them. Nodes are put in
 * order; what was left alone stays the very message it was. Refused are nodes that need each other, and values that are
 * read and nobody makes.
 */
export async function edit(model: Model, change: Edit<void | Promise<void>>): Promise<Model> {
  const session = begin(model, declared);
  await change(session.graph, session.functions);
  return session.end();
}
