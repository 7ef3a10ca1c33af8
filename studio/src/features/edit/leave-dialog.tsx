import { model } from '../../store/workspace.js';
import { Dialog } from '../../ui/dialog.js';
import { leaving } from './leave.js';
import { saveAsFile } from './save.js';

/** Asks what to do with unsaved changes when another model is opened. */
export default function LeaveDialog() {
  const waiting = leaving.value;
  if (!waiting) return null;
  const { next, answer } = waiting;
  const save = async () => {
    if (await saveAsFile()) answer(true);
  };
  return (
    <Dialog title={`Save changes to ${model.value?.name}?`} onClose={() => answer(false)}>
      <p>If you open {next} without saving, your changes are lost.</p>
      <div class="row">
        <button type="button" class="button primary" onClick={() => void save()}>
          Save
        </button>
        <button type="button" class="button" onClick={() => answer(true)}>
          Discard changes
        </button>
        <button type="button" class="button" onClick={() => answer(false)}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
