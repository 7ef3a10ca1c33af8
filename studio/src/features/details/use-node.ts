import { useAnswer } from '../../store/use-answer.js';
import { documents } from '../../store/workers/documents.js';
import { model, outline, text } from '../../store/workspace.js';
import { operatorDocs } from './operator-docs.js';

/** A node of the graph in view, with its details and its operator's documentation once they are loaded. */
export function useNode(index: number) {
  const [document, graph] = [model.value, outline.value];
  const [id, path] = [document?.id ?? 0, graph?.path ?? ''];
  const [domain, operator] = [text(graph?.nodes.domain[index]), text(graph?.nodes.operator[index])];
  const details = useAnswer(async () => documents.node(id, path, index), [id, path, index, operator], document);
  const version = details?.version;
  const docs = useAnswer(
    async () => (version === undefined ? undefined : operatorDocs(domain, operator, version)),
    [domain, operator, version],
  );
  return { graph, path, domain, operator, details, docs };
}
