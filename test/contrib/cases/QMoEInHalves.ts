import type { OperatorCases } from '../case.js';
import { expertCases } from '../experts.js';

/** Results are in halves, of 11 bits: sums that differ in their last bits may round to neighbours. */
const HALVES = { relative: 2 ** -10, absolute: 1e-5 };

export const operator: OperatorCases = { op: 'QMoE', tolerance: HALVES, cases: expertCases(33, 'float16') };
