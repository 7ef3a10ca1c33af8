import { issues } from '../../store/edits.js';
import { goTo, goToValue } from '../../store/go-to.js';
import { counted } from '../../ui/quantities.js';
import type { PlacedIssue } from '../../workers/contracts/changes.js';

/** The checker's findings, each with a link to its location. */
export function Issues() {
  const found = issues.value;
  const errors = found?.filter(({ severity }) => severity === 'error').length ?? 0;
  return (
    <section class="stack" aria-label="Checker">
      <div class="row">
        <h3>Checker</h3>
        <output aria-live="polite">
          {found === undefined ? (
            <span class="quiet">not run yet</span>
          ) : errors > 0 ? (
            <span class="badge bad">{counted(errors, 'error')}</span>
          ) : (
            <span class="badge good">no errors</span>
          )}
        </output>
      </div>
      <ul class="issues">
        {found?.map((issue) => (
          <li key={`${issue.path} ${issue.message}`}>
            <button type="button" class="link" onClick={() => show(issue)}>
              {issue.message}
            </button>
            <p class="quiet">
              {issue.path}
              {issue.hint && ` · ${issue.hint}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function show({ graph, node, value }: PlacedIssue): void {
  if (node >= 0) void goTo(graph, { kind: 'node', index: node });
  else if (value) void goToValue(graph, value);
}
