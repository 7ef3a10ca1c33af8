import { useEffect } from 'preact/hooks';
import { Icon } from '../design/icon.js';
import { model, selection } from '../workspace/workspace.js';
import { Cut } from './cut.js';
import { EditNode } from './edit-node.js';
import { EditValue } from './edit-value.js';
import { change, check, history, issues, redo, undo } from './edits.js';
import { Issues } from './issues.js';
import { saveAsFile, saveWithWeightsBeside } from './save.js';
import { TextField } from './text-field.js';
import './edit.css';

/** Changes the model: what is selected, and the model as a whole; saves it. */
export default function EditPanel() {
  const chosen = selection.value;
  const { canUndo, canRedo } = history.value;
  useEffect(() => {
    if (!issues.value) void check();
  }, [model.value?.id]);
  return (
    <section class="panel" aria-label="Editor" onKeyDown={undoByKey}>
      <div class="row">
        <h2>Edit</h2>
        <button type="button" class="button" disabled={!canUndo} onClick={() => void undo()}>
          Undo
        </button>
        <button type="button" class="button" disabled={!canRedo} onClick={() => void redo()}>
          Redo
        </button>
      </div>
      <div class="row">
        <button type="button" class="button primary" onClick={() => void saveAsFile()}>
          <Icon name="save" />
          Save
        </button>
        <button type="button" class="button" onClick={() => void saveWithWeightsBeside()}>
          Save with weights beside
        </button>
      </div>
      {chosen?.kind === 'node' && <EditNode index={chosen.index} />}
      {chosen?.kind === 'value' && <EditValue index={chosen.index} />}
      {(!chosen || chosen.kind === 'module') && <p class="quiet">Select a node or a value to change it.</p>}
      <Cut />
      <WholeModel />
      <Issues />
    </section>
  );
}

function WholeModel() {
  const opset = model.value?.opsets.find(({ domain }) => domain === 'ai.onnx')?.version;
  return (
    <section class="stack" aria-label="Whole model">
      <h3>The whole model</h3>
      {opset !== undefined && (
        <TextField
          label="Opset"
          value={`${opset}`}
          onChange={(wanted) => void change({ kind: 'convert', opset: Number(wanted) })}
        />
      )}
      <button type="button" class="button" onClick={() => void change({ kind: 'clean-up' })}>
        Remove what nothing needs
      </button>
    </section>
  );
}

function undoByKey(event: KeyboardEvent): void {
  const isTyping = event.target instanceof HTMLInputElement;
  if (isTyping || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
  event.preventDefault();
  void (event.shiftKey ? redo() : undo());
}
