import { counted, digits, formatMilliseconds } from '../../ui/quantities.js';
import type { DoneRun, Look } from '../../workers/contracts/runs.js';

/** The result of a run in a sentence: the likeliest class, the number of boxes, or the outputs' types. */
export function resultOf({ looks, outputs }: DoneRun): string {
  const found = looks.flatMap((look) => lookSaid(look) ?? []);
  const plain = outputs.map(
    ({ name, tensor }) => `${name} ${tensor ? `${tensor.type}[${tensor.dims.join(', ')}]` : ''}`,
  );
  return (found.length > 0 ? found : plain).join('; ');
}

export const runSaid = (run: DoneRun): string => `Run in ${formatMilliseconds(run.milliseconds)}: ${resultOf(run)}`;

function lookSaid(look: Look): string | undefined {
  switch (look.kind) {
    case 'labels': {
      const [first] = look.entries;
      return first && `top class of ${look.output}: ${first.label}, ${digits(first.value)}`;
    }
    case 'boxes':
      return counted(look.found.scores.length, 'box', 'boxes');
    case 'picture':
      return `${look.output}, ${look.says}`;
    case 'sound':
      return `${look.output}, ${counted(look.samples.length, 'sample')}`;
  }
}
