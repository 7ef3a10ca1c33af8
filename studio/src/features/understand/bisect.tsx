import type { Bisection } from 'sardonyx/model';
import { selectOrigins } from '../../store/go-to.js';
import { counted } from '../../ui/quantities.js';

import { bisect, bisection } from './state.js';
import { ToleranceField } from './tolerance-field.js';

/** Finds the rewrite that makes the results differ from those of the unoptimised model. */
export const Bisect = () => (
  <section class="stack" aria-label="Find the rewrite that changes results">
    <h3>Find the rewrite that changes results</h3>
    <p class="quiet">
      If the results of the optimized graph differ from those of the original model by more than the tolerance,
      bisection finds the first rewrite that causes the difference.
    </p>
    <div class="row fields">
      <ToleranceField />
      <button type="button" class="button" onClick={() => void bisect()}>
        Find rewrite
      </button>
    </div>
    {bisection.value && <p role="status">{said(bisection.value)}</p>}
    {bisection.value?.cause === 'rewrite' && bisection.value.origins.length > 0 && (
      <Origins origins={bisection.value.origins} />
    )}
  </section>
);

/** The original nodes of the model that were rewritten. */
const Origins = ({ origins }: { origins: readonly string[] }) => (
  <p class="row">
    <span>
      It rewrites {counted(origins.length, 'node')}: <span class="mono">{origins.join(', ')}</span>
    </span>
    <button type="button" class="button" onClick={() => selectOrigins(origins)}>
      Show
    </button>
  </p>
);

function said(found: Bisection): string {
  const { runs, rewrites } = found;
  switch (found.cause) {
    case 'none':
      return `Results stay within the tolerance with all ${rewrites} rewrites.`;
    case 'other':
      return `Results differ without any rewrite. Kernels or constant folding cause the difference. ${firstOf(found)}`;
    case 'rewrite':
      return `Rewrite ${found.index} of ${rewrites} causes the difference: ${found.rewrite.rule} at ${found.rewrite.node}. Sessions run: ${runs}. ${firstOf(found)}`;
  }
}

const firstOf = ({ first }: Extract<Bisection, { first: unknown }>): string =>
  first ? `${first.name}: ${first.mismatch ?? `relative L2 error ${first.relativeL2.toExponential(2)}`}.` : '';
