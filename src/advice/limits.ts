import type { LimitedBy, Limits } from '../limits.js';

const OPTIONS: Readonly<Record<LimitedBy, string>> = {
  create: 'the option limits of create',
  run: 'the option limits of run',
  default: 'the option limits of create',
};

/** Names the option that raises a limit. */
export const raisedBy = (complaint: string, limit: keyof Limits, by: LimitedBy): string =>
  `${complaint}; if you trust the model, raise ${limit} in ${OPTIONS[by]}`;
