import { signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { whenSeen } from '../../store/seen.js';
import { useAnswer } from '../../store/use-answer.js';
import { documents } from '../../store/workers/documents.js';
import { NumberField } from '../../ui/number-field.js';
import { formatCount } from '../../ui/quantities.js';
import type { OpenedDocument, Work } from '../../workers/contracts/documents.js';

const MOST_SIZE = 1e9;

/** Models with more nodes are counted only on request: 1900 nodes took two seconds. */
const AT_ONCE = 1000;

/** Parameters and multiply-adds of the whole model, for open dimensions of a chosen size. */
export function WorkFacts({ document }: { document: OpenedDocument }) {
  const { id, openSizes, outline, parameters } = document;
  const asked = useSignal(-1);
  const isWanted = outline.nodes.count <= AT_ONCE || asked.value === id;
  const fields = useMemo(
    () => new Map(openSizes.filter(Boolean).map((name) => [name, signal(1)])),
    [id, `${openSizes}`],
  );
  const sizes = Object.fromEntries([...fields].map(([name, size]) => [name, size.value]));
  const ask = async () => (isWanted ? counted(id, sizes) : undefined);
  const work = useAnswer(ask, [id, isWanted], `${outline.nodes.count} ${JSON.stringify(sizes)}`);
  return (
    <>
      <dt>Parameters</dt>
      <dd>{formatCount(parameters)}</dd>
      <dt>Multiply-adds</dt>
      <dd>
        {isWanted ? (
          textOf(work)
        ) : (
          <button
            type="button"
            class="button"
            onClick={() => {
              asked.value = id;
            }}
          >
            Count
          </button>
        )}
        {[...fields].map(([name, size]) => (
          <NumberField key={name} title={name} of={size} min={1} max={MOST_SIZE} />
        ))}
        {openSizes.includes('') && <p class="quiet">Sizes without a name count as 1.</p>}
        {work && work.uncounted > 0 && (
          <p class="quiet">Without {formatCount(work.uncounted)} nodes whose shapes depend on the data.</p>
        )}
        {work?.refusal && <p class="quiet">Not all nodes are counted: {work.refusal}</p>}
      </dd>
    </>
  );
}

const textOf = (work: Work | undefined): string => {
  if (!work) return '…';
  return Number.isNaN(work.multiplyAdds) ? 'unknown' : formatCount(work.multiplyAdds);
};

/** Waits until the graph is drawn, as types do. */
async function counted(id: number, sizes: Readonly<Record<string, number>>): Promise<Work> {
  await whenSeen();
  return documents.work(id, sizes);
}
