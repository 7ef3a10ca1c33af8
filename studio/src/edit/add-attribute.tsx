import { useSignal } from '@preact/signals';
import { outline } from '../workspace/workspace.js';
import { WRITTEN, type WrittenKind } from './change.js';
import { change } from './edits.js';

/** Adds an attribute of any name and kind, as operators have that nobody documents. */
export function AddAttribute({ node }: { node: number }) {
  const [name, kind, text] = [useSignal(''), useSignal<WrittenKind>('int'), useSignal('')];
  const add = async () => {
    const value = { kind: kind.value, text: text.value };
    const graph = outline.value?.path ?? '';
    await change({ kind: 'set-attribute', graph, node, name: name.value.trim(), value });
    name.value = '';
    text.value = '';
  };
  return (
    <fieldset class="row choices">
      <legend class="quiet">Another attribute</legend>
      <label class="label">
        Its name
        <input class="field" value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
      </label>
      <label class="label">
        Its kind
        <select
          class="select"
          value={kind.value}
          onInput={(event) => {
            kind.value = event.currentTarget.value as WrittenKind;
          }}
        >
          {WRITTEN.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <label class="label">
        Its value
        <input class="field mono" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      </label>
      <button type="button" class="button" disabled={name.value.trim() === ''} onClick={() => void add()}>
        Add
      </button>
    </fieldset>
  );
}
