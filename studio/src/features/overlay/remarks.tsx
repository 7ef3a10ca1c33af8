import { digits } from '../../ui/quantities.js';
import { overlay, type Remark } from './overlay.js';
import { placed } from './placed.js';

/** The overlay's remarks on the selection. */
export const RemarksOn = ({ kind, index }: { kind: 'nodes' | 'values'; index: number }) => (
  <Remarks title={overlay.value?.name ?? ''} of={placed.value?.[kind].get(index) ?? []} />
);

export const Remarks = ({ title, of }: { title: string; of: readonly Remark[] }) =>
  of.length === 0 ? null : (
    <section>
      <h3>{title}</h3>
      <dl class="facts">
        {of.map(({ title, fact }) => [<dt>{title}</dt>, <dd>{typeof fact === 'number' ? digits(fact) : fact}</dd>])}
      </dl>
    </section>
  );
