import { useSignal } from '@preact/signals';
import { change } from '../../store/edits.js';
import { outline } from '../../store/workspace.js';
import {
  GRAPH_FORMS,
  type GraphForm,
  isGraphForm,
  WRITTEN,
  type WrittenKind,
} from '../../workers/contracts/changes.js';
import { AddGraph } from './edit-graphs.js';

/** Adds an attribute of any name and kind, for undocumented operators. */
export function AddAttribute({ node }: { node: number }) {
  const [name, kind] = [useSignal(''), useSignal<WrittenKind | GraphForm>('int')];
  const [called, graph] = [name.value.trim(), outline.value?.path ?? ''];
  return (
    <fieldset class="row choices">
      <legend class="quiet">New attribute</legend>
      <label class="label">
        Name
        <input class="field" value={name.value} onInput={(event) => (name.value = event.currentTarget.value)} />
      </label>
      <label class="label">
        Type
        <select
          class="select"
          value={kind.value}
          onInput={(event) => {
            kind.value = event.currentTarget.value as WrittenKind | GraphForm;
          }}
        >
          {[...WRITTEN, ...GRAPH_FORMS].map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      {isGraphForm(kind.value) ? (
        <AddGraph title="Add graph from a model" place={{ graph, node, name: called }} form={kind.value} />
      ) : (
        <WrittenValue
          add={async (text) => {
            const value = { kind: kind.peek() as WrittenKind, text };
            await change({ kind: 'set-attribute', graph, node, name: called, value });
            name.value = '';
          }}
          isReady={called !== ''}
        />
      )}
    </fieldset>
  );
}

function WrittenValue({ add, isReady }: { add: (text: string) => Promise<void>; isReady: boolean }) {
  const text = useSignal('');
  const onClick = async () => {
    await add(text.value);
    text.value = '';
  };
  return (
    <>
      <label class="label">
        Value
        <input class="field mono" value={text.value} onInput={(event) => (text.value = event.currentTarget.value)} />
      </label>
      <button type="button" class="button" disabled={!isReady} onClick={() => void onClick()}>
        Add
      </button>
    </>
  );
}
