import type { Account } from '../account.js';
import { onDemand } from '../base/on-demand.js';
import type { Limits } from '../limits.js';

/** @throws SardonyxError INVALID_ARGUMENT if the limits are invalid */
export const openAccount = async (limits: Limits): Promise<Account> =>
  (await onDemand('limits', () => import('./account.js'))).accountOf(limits);
