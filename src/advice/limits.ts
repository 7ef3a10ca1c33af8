import type { LimitedBy, Limits } from '../limits.js';

const OPTIONS: Readonly<Record<LimitedBy, string>> = {
  create: 'the limits of create',
  run: 'the limits of run',
  default: 'limits, an option of create',
};

/** What raises a limit. */
export const raisedBy = (complaint: string, limit: keyof Limits, by: LimitedBy): string =>
  `${complaint}; if the model is to be trusted, raise ${limit} in ${OPTIONS[by]}`;
