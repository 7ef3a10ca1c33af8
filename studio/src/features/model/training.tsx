import { enterGraph } from '../../store/open-model.js';
import type { TrainingGraph } from '../../workers/contracts/documents.js';

/** Links to the graphs of the model's `training_info`, with the weights that they set. */
export const Training = ({ graphs }: { graphs: readonly TrainingGraph[] }) =>
  graphs.length === 0 ? null : (
    <section>
      <h3>Training</h3>
      {graphs.map(({ path, title, bindings }) => (
        <div key={path} class="stack">
          <button type="button" class="link" onClick={() => void enterGraph(path)}>
            {title}
          </button>
          {bindings.length > 0 && (
            <table class="table" aria-label={`Weights set by ${title}`}>
              <tbody>
                {bindings.map(([weight, output]) => (
                  <tr key={weight}>
                    <td>{weight}</td>
                    <td class="quiet">← {output}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      ))}
    </section>
  );
