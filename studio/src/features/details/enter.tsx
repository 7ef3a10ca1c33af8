import { enterGraph } from '../../store/open-model.js';

/** A button that opens a graph, if there is one. */
export const Enter = ({ path, title }: { path: string | undefined; title: string }) =>
  path === undefined ? null : (
    <button type="button" class="button" onClick={() => void enterGraph(path)}>
      {title}
    </button>
  );
