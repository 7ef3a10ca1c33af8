import type { Model } from '../../model/document/model.js';
import { editNow } from './edit/edit-now.js';

/**
 * Sorts the nodes of a model topologically, also in subgraphs and functions, and otherwise preserves their order.
 * @throws SardonyxError INVALID_GRAPH if nodes form a cycle
 */
export const sortNodes = (model: Model): Model => editNow(model, () => {});
