import { expose, type Remote, transfer, wrap } from 'comlink';
import { buffersOf } from '../../graph/buffers.js';
import type { DocumentsService } from '../contracts/documents.js';
import type { FindService, FoundRow, Search } from '../contracts/find.js';
import { KINDS } from '../contracts/search-index.js';
import { matches, type Searchable, searchable } from './match.js';
import { parseQuery } from './query.js';

let searched: Searchable | undefined;
let found: Int32Array = new Int32Array();
let last: Search = { text: '', kinds: [] };

async function addTypes(documents: Remote<DocumentsService>, id: number): Promise<void> {
  searched = searchable(await documents.searchIndex(id, true));
  service.search(last);
}

const service: FindService = {
  async open(id, port) {
    const documents = wrap<DocumentsService>(port);
    searched = searchable(await documents.searchIndex(id, false));
    void addTypes(documents, id);
  },
  search(search) {
    last = search;
    const terms = parseQuery(search.text);
    found = searched && terms.length > 0 ? matches(searched, terms, search.kinds) : new Int32Array();
    return found.length;
  },
  rows: (begin, end) => [...found.subarray(begin, end)].map(rowOf),
  inGraph: (path) => {
    const index = searched?.index;
    const graph = index?.graphs.indexOf(path) ?? -1;
    const here = found.filter((row) => index?.graph[row] === graph);
    const of = (isNode: boolean) =>
      Int32Array.from(
        here.filter((row) => (index?.kind[row] === 0) === isNode),
        (row) => index?.subject[row] ?? 0,
      );
    const answer = { nodes: of(true), values: of(false) };
    return transfer(answer, buffersOf(answer));
  },
};

function rowOf(row: number): FoundRow {
  const { strings, graphs, ...columns } = (searched as Searchable).index;
  const text = (column: Int32Array) => strings[column[row] as number] ?? '';
  const name = text(columns.name);
  const operator = text(columns.operator);
  return {
    kind: KINDS[columns.kind[row] as number] ?? 'node',
    graph: graphs[columns.graph[row] as number] ?? '',
    subject: columns.subject[row] as number,
    title: operator || name,
    detail: operator ? name : text(columns.type),
  };
}

expose(service);
