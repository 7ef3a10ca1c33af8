import { hinted } from '../advice/hinted.js';
import { SardonyxError } from '../base/errors.js';
import type { LimitedBy, Limits } from '../limits.js';

export const exceeded = (complaint: string, limit: keyof Limits, by: LimitedBy): SardonyxError =>
  hinted(new SardonyxError('LIMIT', complaint), ({ raisedBy }) => raisedBy(complaint, limit, by));
