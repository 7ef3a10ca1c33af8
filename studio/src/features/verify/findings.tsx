import { signal } from '@preact/signals';
import { Check } from '../../ui/check.js';
import './verify.css';
import type { VerifiedOutput } from '../../workers/contracts/verify.js';

const onlyFailed = signal(false);

/** Maximum number of rows. */
const SHOWN = 300;

/** A row per output of each data set, as printed by `sardonyx verify`. */
export function Findings({ outputs }: { outputs: readonly VerifiedOutput[] }) {
  const wanted = onlyFailed.value ? outputs.filter(({ passed }) => !passed) : outputs;
  return (
    <>
      <Check
        title="Only out of tolerance"
        value={onlyFailed.value}
        onChange={(chosen) => {
          onlyFailed.value = chosen;
        }}
      />
      <table class="table verified">
        <thead>
          <tr>
            <th>Verdict</th>
            <th>Model</th>
            <th>Set</th>
            <th>Output</th>
            <th class="of-type">Type</th>
            <th class="number">Rel. L2</th>
            <th class="number">Max abs</th>
          </tr>
        </thead>
        <tbody>
          {wanted.slice(0, SHOWN).map((each) => (
            <Row key={`${each.model} ${each.set} ${each.output}`} {...each} />
          ))}
        </tbody>
      </table>
      {wanted.length > SHOWN && <p class="quiet">and {wanted.length - SHOWN} more (save the JSON to see all)</p>}
    </>
  );
}

const Row = ({ model, set, output, type, relativeL2, maxAbs, passed, problem }: VerifiedOutput) => (
  <tr>
    <td>
      <span class={passed ? 'badge good' : 'badge bad'}>{passed ? 'ok' : 'FAIL'}</span>
    </td>
    <td>{model}</td>
    <td>{set}</td>
    <td>{output}</td>
    <td class="of-type mono quiet">{type}</td>
    {problem === undefined ? (
      <>
        <td class="number">{error(relativeL2)}</td>
        <td class="number">{error(maxAbs)}</td>
      </>
    ) : (
      <td colSpan={2}>{problem}</td>
    )}
  </tr>
);

const error = (value: number | null): string => (value === null ? '' : value === 0 ? '0' : value.toExponential(1));
