import type { ExternalData } from '../../model/external-data.js';
import type { Surroundings } from './context.js';
import type { Report } from './issue.js';

export interface CheckOptions {
  /** Whether shapes and types are inferred, too, by the rules of the operators that the runtime knows. */
  readonly full?: boolean;
  /** Whether types are held to the signatures of the operators, and to each other; by default they are. */
  readonly types?: boolean;
  /** Whether a function may import another version of an operator set than the model. */
  readonly skipOpsetCompatibility?: boolean;
  /** Whether operators of other domains than ONNX's must be known: functions of the model are. */
  readonly customDomains?: boolean;
  /** How many issues are reported at most; 1000 if left out. */
  readonly limit?: number;
  /** Finds external data; without it, only what the model says of them is looked at. */
  readonly externalData?: ExternalData;
}

/** What is reported at most where nobody says how much. */
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
