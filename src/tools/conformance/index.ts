export type { Tolerance } from '../difference.js';
export type { CaseFile, ConformanceCase, ConformanceDataSet } from './case.js';
export { conformanceCases } from './cases-in.js';
export type { ConformanceReport, Tally } from './report.js';
export { reportHtml } from './report-html.js';
export type { ConformanceProblem, ConformanceResult, Outcome } from './result.js';
export { type ConformanceOptions, type ConformanceProgress, runConformance } from './run-conformance.js';
export type { ConformanceRuntime, ConformanceSession } from './runtime.js';
