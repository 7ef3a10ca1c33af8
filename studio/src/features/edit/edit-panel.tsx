import { useEffect } from 'preact/hooks';
import { check, history, issues, redo, undo } from '../../store/edits.js';
import { model, selection } from '../../store/workspace.js';
import { Icon } from '../../ui/icon.js';
import { Cut } from './cut.js';
import { EditModel } from './edit-model.js';
import { EditNode } from './edit-node.js';
import { EditValue } from './edit-value.js';
import { Issues } from './issues.js';
import { saveAsFile, saveWithWeightsBeside } from './save.js';
import { followUndoKeys } from './undo-keys.js';
import './edit.css';

/** Edits the selection and the model as a whole, and saves the model. */
export default function EditPanel() {
  const chosen = selection.value;
  const { canUndo, canRedo } = history.value;
  useEffect(() => {
    if (!issues.value) void check();
  }, [model.value?.id]);
  return (
    <section class="panel editor" aria-label="Editor" onKeyDown={followUndoKeys}>
      <div class="row">
        <h2>Edit</h2>
        <button type="button" class="button" aria-disabled={!canUndo} onClick={() => canUndo && void undo()}>
          Undo
        </button>
        <button type="button" class="button" aria-disabled={!canRedo} onClick={() => canRedo && void redo()}>
          Redo
        </button>
      </div>
      <div class="row">
        <button type="button" class="button primary" onClick={() => void saveAsFile()}>
          <Icon name="save" />
          Save
        </button>
        <button type="button" class="button" onClick={() => void saveWithWeightsBeside()}>
          Save with external weights
        </button>
      </div>
      {chosen?.kind === 'node' && <EditNode index={chosen.index} />}
      {chosen?.kind === 'value' && <EditValue index={chosen.index} />}
      {(!chosen || chosen.kind === 'module') && <p class="quiet">Select a node or value to edit it.</p>}
      <Cut />
      <EditModel />
      <Issues />
    </section>
  );
}
