import type { HyperParameters, Parameter } from '../../contracts/log-entries.js';
import { hyperParameters, type ParameterMessage } from './messages.js';

const STATUSES: Readonly<Record<number, HyperParameters['status']>> = { 1: 'success', 2: 'failure' };

/** Decodes the plugin's data about a run, which is one of three messages. */
export function hyperParametersIn(content: Uint8Array): HyperParameters | undefined {
  const { experiment, start, end } = hyperParameters(content);
  if (experiment) return { kind: 'hparams', metrics: experiment.metrics.map(({ name }) => name?.tag ?? '') };
  if (start) {
    const entries = start.values.map(({ key, value }) => [key, parameterOf(value)] as const);
    return { kind: 'hparams', values: Object.fromEntries(entries) };
  }
  const status = end && STATUSES[end.status];
  return status && { kind: 'hparams', status };
}

const parameterOf = (value: ParameterMessage | undefined): Parameter =>
  value?.number ?? value?.text ?? value?.flag ?? '';
