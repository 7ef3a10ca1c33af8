import { change } from '../../store/edits.js';
import { TextField } from '../../ui/text-field.js';
import type { GraphForm } from '../../workers/contracts/changes.js';
import type { GraphFacts } from '../../workers/contracts/details.js';
import { TakeFile } from './take-file.js';

/** An attribute of a node of the graph at a path. */
interface AttributeAt {
  readonly graph: string;
  readonly node: number;
  readonly name: string;
}

interface EditGraphsProps {
  readonly place: AttributeAt;
  readonly isList: boolean;
  readonly graphs: readonly GraphFacts[];
}

/** The graph of an attribute, or its list of graphs, which can grow and shrink. */
export const EditGraphs = ({ place, isList, graphs }: EditGraphsProps) => (
  <div class="stack">
    {isList && <strong>{place.name}</strong>}
    {graphs.map((each) => (
      <EditGraph key={each.path} of={each} isRemovable={isList} />
    ))}
    {isList && <AddGraph title="Add graph from a model" place={place} form="graphs" />}
  </div>
);

const EditGraph = ({ of: { path, title, name }, isRemovable }: { of: GraphFacts; isRemovable: boolean }) => (
  <TakeFile
    title="Replace with graph from a model"
    label={`Replace ${title} with a graph from a model`}
    accept=".onnx"
    onFile={(file) => change({ kind: 'set-graph', graph: path, file })}
  >
    <TextField
      label={`Graph name of ${title}`}
      value={name}
      onChange={(text) => void change({ kind: 'rename-graph', graph: path, name: text })}
    />
    {isRemovable && (
      <button
        type="button"
        class="button"
        aria-label={`Remove ${title}`}
        onClick={() => void change({ kind: 'remove-graph', graph: path })}
      >
        Remove
      </button>
    )}
  </TakeFile>
);

interface AddGraphProps {
  readonly title: string;
  readonly place: AttributeAt;
  readonly form: GraphForm;
}

export const AddGraph = ({ title, place, form }: AddGraphProps) => (
  <TakeFile
    title={title}
    label={`Add a graph from a model to ${place.name}`}
    accept=".onnx"
    onFile={(file) => change({ kind: 'add-graph', ...place, form, file })}
  />
);
