import { change } from '../../store/edits.js';
import { useAnswer } from '../../store/use-answer.js';
import { documents } from '../../store/workers/documents.js';
import { model, outline } from '../../store/workspace.js';
import { TextField } from '../../ui/text-field.js';
import { isOfLines, type WrittenKind } from '../../workers/contracts/changes.js';
import type { AttributeDetails } from '../../workers/contracts/details.js';
import { EditGraphs } from './edit-graphs.js';
import { EditTensor } from './edit-tensor.js';

interface EditAttributeProps {
  readonly operator: string;
  readonly node: number;
  readonly attribute: AttributeDetails;
}

/** Edits an attribute according to its kind: text, tensors or graphs. */
export function EditAttribute({ operator, node, attribute }: EditAttributeProps) {
  const { name, kind, tensors, graphs } = attribute;
  const path = outline.value?.path ?? '';
  return (
    <div class="edit-row">
      {tensors.length > 0 ? (
        <div class="stack">
          <strong>{name}</strong>
          {tensors.map((facts, i) => (
            <EditTensor key={`${name} ${i}`} facts={facts} title={`${operator} ${name}`} />
          ))}
        </div>
      ) : graphs ? (
        <EditGraphs place={{ graph: path, node, name }} isList={kind === 'graphs'} graphs={graphs} />
      ) : (
        <WrittenField node={node} name={name} kind={kind} />
      )}
      <button
        type="button"
        class="button"
        aria-label={`Remove ${name}`}
        onClick={() => void change({ kind: 'remove-attribute', graph: path, node, name })}
      >
        Remove
      </button>
    </div>
  );
}

/** Loads the attribute's text only when shown, as lists may be long. */
function WrittenField({ node, name, kind }: { node: number; name: string; kind: string }) {
  const [document, path] = [model.value, outline.value?.path ?? ''];
  const id = document?.id ?? 0;
  const written = useAnswer(async () => documents.attribute(id, path, node, name), [id, path, node, name], document);
  if (!written)
    return (
      <p class="quiet">
        {name}, {kind}
      </p>
    );
  return (
    <AttributeField
      node={node}
      name={name}
      kind={written.kind}
      value={written.text}
      isLong={isOfLines(written.kind) || written.text.length > LONG}
    />
  );
}

/** Longer text, in characters, gets a multi-line field. */
const LONG = 60;

interface AttributeFieldProps {
  readonly node: number;
  readonly name: string;
  readonly kind: WrittenKind;
  readonly value: string;
  readonly isLong?: boolean;
}

const SAID: Partial<Record<WrittenKind, string>> = {
  strings: 'strings, one per line',
  type_protos: 'types, one per line',
  reference: 'attribute of the function',
};

export const AttributeField = ({ node, name, kind, value, isLong = isOfLines(kind) }: AttributeFieldProps) => (
  <TextField
    label={`${name}, ${SAID[kind] ?? kind}`}
    value={value}
    onChange={(text) => {
      const graph = outline.value?.path ?? '';
      void change({ kind: 'set-attribute', graph, node, name, value: { kind, text } });
    }}
    isMono
    isLong={isLong}
  />
);
