import { Pick } from '../../ui/pick.js';
import './understand.css';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { task } from '../../store/notices.js';
import { settings } from '../../store/session.js';
import { documents } from '../../store/workers/documents.js';
import { runs } from '../../store/workers/runs.js';
import { model } from '../../store/workspace.js';
import { type Column, DataTable } from '../../ui/data-table.js';
import { counted } from '../../ui/quantities.js';
import type { RewriteChange, SaidNode } from '../../workers/contracts/runs.js';
import { Bisect } from './bisect.js';
import { lookAtRewrites, rewrites } from './state.js';

interface Row {
  readonly number: number;
  readonly rule: string;
  readonly node: string;
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Rewrite', of: ({ rule, number }) => `${number + 1} ${rule}`, width: 3 },
  { title: 'Node', of: ({ node }) => node, isPath: true, width: 3 },
];

/** The optimizer's rewrites, rule by rule; selecting one shows the removed and added nodes. */
export function RewriteList() {
  const [document, chosen] = [model.value, settings.value];
  const rule = useSignal('');
  const change = useSignal<{ readonly row: Row; readonly change: RewriteChange } | null>(null);
  useEffect(() => {
    change.value = null;
    void lookAtRewrites();
  }, [document, chosen]);
  const found = rewrites.value;
  if (!found || !document) return null;
  const all = found.applied.map((rewrite, number) => ({ ...rewrite, number }));
  const shown = all.filter((row) => rule.value === '' || row.rule === rule.value);
  const open = async (row: Row) => {
    const made = await task('Applying the rewrite', async () =>
      runs.rewriteAt(await documents.files(document.id), chosen, row.number),
    );
    if (made) change.value = { row, change: made };
  };
  return (
    <>
      <p>
        {counted(all.length, 'rewrite')} by {counted(rulesOf(all).length, 'rule')} turned{' '}
        {counted(found.nodes[0], 'node')} into {found.nodes[1]}.
      </p>
      <div class="row">
        <Pick
          title="Rule"
          options={[
            ['', 'All rules'] as const,
            ...rulesOf(all).map(([name, count]) => [name, `${name} (${count})`] as const),
          ]}
          of={rule}
        />
      </div>
      <DataTable title="Rewrites" columns={COLUMNS} rows={shown} onChoose={(row) => void open(row)} />
      {change.value && <Change {...change.value} />}
      {found.refused.length > 0 && <Refused refused={found.refused} />}
      <Bisect />
    </>
  );
}

function rulesOf(rows: readonly Row[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { rule } of rows) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

const Change = ({ row, change: { before, after } }: { row: Row; change: RewriteChange }) => (
  <section aria-label={`Rewrite ${row.number + 1}: ${row.rule}`} class="change">
    <Side title="Before" nodes={before} />
    <Side title="After" nodes={after} />
  </section>
);

const Side = ({ title, nodes }: { title: string; nodes: readonly SaidNode[] }) => (
  <div>
    <h3>{title}</h3>
    <ul aria-label={title}>
      {nodes.map((node) => (
        <li key={`${node.name} ${node.outputs.join()}`} class="mono">
          {node.outputs.join(', ')} = <strong>{node.operator}</strong>({node.inputs.join(', ')})
        </li>
      ))}
    </ul>
  </div>
);

const REASONS: readonly Column<{ rule: string; node: string; reason: string }>[] = [
  { title: 'Rule', of: ({ rule }) => rule, width: 1.5 },
  { title: 'Node', of: ({ node }) => node, isPath: true, width: 2 },
  { title: 'Reason', of: ({ reason }) => reason, width: 3 },
];

const Refused = ({ refused }: { refused: readonly { rule: string; node: string; reason: string }[] }) => (
  <details>
    <summary>{counted(refused.length, 'rewrite')} not applied</summary>
    <DataTable title="Rewrites not applied" columns={REASONS} rows={refused} />
  </details>
);
