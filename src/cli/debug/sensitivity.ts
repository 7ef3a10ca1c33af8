import type { Sensitivity, SensitivityOptions } from '../../tools/index.js';
import { openDocument } from '../document.js';
import type { Io } from '../io.js';
import { samplesIn } from '../samples.js';
import { table } from '../table.js';
import { UsageError } from '../usage-error.js';

export interface SensitivityChoices {
  readonly data: string | undefined;
  readonly by: SensitivityOptions['by'] | undefined;
  readonly perChannel: true | undefined;
  readonly json: true | undefined;
}

export async function sensitivity(io: Io, argument: string, choices: SensitivityChoices): Promise<void> {
  const { data, by = 'node', perChannel = false, json } = choices;
  if (data === undefined) throw new UsageError('"debug sensitivity" needs --data, the samples to run the model on');
  const model = await openDocument(io, argument);
  const tools = await import('../../tools/on-demand.js');
  const found = await tools.sensitivity(model, samplesIn(data, model), {
    by,
    perChannel,
    onProgress: ({ stage, done, total, node }) => io.progress(`${stage}: ${done} of ${total} ${node}`),
  });
  if (json) io.printJson(found);
  else io.print(described(found, by));
}

const described = (found: readonly Sensitivity[], by: 'node' | 'type'): string =>
  found.length === 0
    ? 'the model has no nodes to quantize'
    : table(
        [by, 'operator', '>dB'],
        found.map(({ name, operator, score }) => [name, operator, score.toFixed(1)]),
      );
