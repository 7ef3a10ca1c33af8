import { useMemo } from 'preact/hooks';
import { figuresOf } from '../../graph/in-module.js';
import { toggleModule } from '../../store/open-model.js';
import { modules, opened, outline, select } from '../../store/workspace.js';
import { formatCount } from '../../ui/quantities.js';
import { OperatorTable } from './operator-table.js';

/** A module: its size and its operators. */
export function ModuleDetails({ index }: { index: number }) {
  const [graph, tree] = [outline.value, modules.value];
  const figures = useMemo(() => graph && tree && figuresOf(graph, tree, index), [graph, tree, index]);
  if (!figures || !tree) return null;
  return (
    <>
      <dl class="facts">
        <dt>Path</dt>
        <dd>{tree.path[index]}</dd>
        <dt>Nodes</dt>
        <dd>{formatCount(figures.nodes)}</dd>
        <dt>Parameters</dt>
        <dd>{formatCount(figures.parameters)}</dd>
        {figures.alike > 1 && [
          <dt key="a">Repeated</dt>,
          <dd key="alike">{figures.alike} modules have this structure</dd>,
        ]}
      </dl>
      <button
        type="button"
        class="button"
        onClick={() => void toggleModule(index).then(() => select({ kind: 'module', index }))}
      >
        {opened.value.has(index) ? 'Collapse module' : 'Expand module'}
      </button>
      <OperatorTable counts={figures.operators} />
    </>
  );
}
