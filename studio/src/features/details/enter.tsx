import { enterGraph } from '../../store/open-model.js';

/** Enters a graph, where there is one. */
export const Enter = ({ path, title }: { path: string | undefined; title: string }) =>
  path === undefined ? null : (
    <button type="button" class="button" onClick={() => void enterGraph(path)}>
      {title}
    </button>
  );
