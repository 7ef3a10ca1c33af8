import type { Model } from '../../model/document/model.js';
import { editNow } from './edit/edit-now.js';

/** The model with each node behind those that it needs, also in subgraphs and functions, and else in their order. */
export const sortNodes = (model: Model): Model => editNow(model, () => {});
