import type { ExternalData } from '../../model/external-data.js';
import type { Surroundings } from './context.js';
import type { Report } from './issue.js';

export interface CheckOptions {
  /** Whether to infer types and shapes, too, for the operators that the runtime supports. Default: false. */
  readonly full?: boolean;
  /** Whether to check types against operator signatures and against each other. Default: true. */
  readonly types?: boolean;
  /** Whether a function may import other versions of opsets than the model. */
  readonly skipOpsetCompatibility?: boolean;
  /** Whether operators of domains other than ONNX's must be known. Functions of the model are known. */
  readonly customDomains?: boolean;
  /** The maximum number of reported issues. Default: 1000. */
  readonly limit?: number;
  /** Finds external data. Without it, only the references to external data are checked. */
  readonly externalData?: ExternalData;
}

/** The default for `limit`. */
export const LIMIT = 1000;

export const nowhere = { path: undefined, node: undefined, within: undefined, declared: undefined, depth: 0 } as const;

export const surroundings = (options: CheckOptions, report: Report) =>
  ({
    report,
    externalData: options.externalData,
    types: options.types ?? true,
    skipOpsetCompatibility: options.skipOpsetCompatibility ?? false,
    customDomains: options.customDomains ?? false,
  }) satisfies Partial<Surroundings>;
