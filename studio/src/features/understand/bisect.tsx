import type { Bisection } from 'sardonyx/model';
import { selectOrigins } from '../../store/go-to.js';
import { counted } from '../../ui/quantities.js';

import { bisect, bisection } from './state.js';
import { ToleranceField } from './tolerance-field.js';

/** Finds the rewrite with which results leave those of the model as it is. */
export const Bisect = () => (
  <section class="stack" aria-label="Guilty rewrite">
    <h3>The guilty rewrite</h3>
    <p class="quiet">
      Where results of the optimised graph are further from those of the model as it is than the tolerance, bisection
      finds the rewrite with which that begins.
    </p>
    <div class="row fields">
      <ToleranceField />
      <button type="button" class="button" onClick={() => void bisect()}>
        Find it
      </button>
    </div>
    {bisection.value && <p role="status">{said(bisection.value)}</p>}
    {bisection.value?.cause === 'rewrite' && bisection.value.origins.length > 0 && (
      <Origins origins={bisection.value.origins} />
    )}
  </section>
);

/** The model's nodes that were rewritten. */
const Origins = ({ origins }: { origins: readonly string[] }) => (
  <p class="row">
    <span>
      It rewrites {counted(origins.length, 'node')} of the model: <span class="mono">{origins.join(', ')}</span>
    </span>
    <button type="button" class="button" onClick={() => selectOrigins(origins)}>
      Show it
    </button>
  </p>
);

function said(found: Bisection): string {
  const { runs, rewrites } = found;
  switch (found.cause) {
    case 'none':
      return `With all ${rewrites} rewrites, results stay within the tolerance.`;
    case 'other':
      return `Results differ without any rewrite: kernels or folding do it, not a rule. ${firstOf(found)}`;
    case 'rewrite':
      return `Rewrite ${found.index} of ${rewrites}, ${found.rewrite.rule} at ${found.rewrite.node}, in ${runs} sessions. ${firstOf(found)}`;
  }
}

const firstOf = ({ first }: Extract<Bisection, { first: unknown }>): string =>
  first ? `${first.name} is ${first.mismatch ?? `${first.relativeL2.toExponential(2)} away`}.` : '';
