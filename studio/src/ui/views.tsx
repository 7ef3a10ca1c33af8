import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { Tabs, tabId } from './tabs.js';

interface Props {
  /** What the tabs are of, for those who cannot see it. */
  readonly label: string;
  /** The id of what they change. */
  readonly id: string;
  /** Begins with the first. */
  readonly views: readonly View[];
}

export interface View {
  readonly id: string;
  readonly title: string;
  readonly Content: ComponentType;
}

/** Tabs, and the view that is chosen. */
export function Views({ label, id, views }: Props) {
  const chosen = useSignal(views[0]?.id);
  const Content = views.find((view) => view.id === chosen.value)?.Content;
  return (
    <>
      <Tabs
        label={label}
        tabs={views}
        value={chosen.value}
        controls={id}
        onChange={(view) => {
          chosen.value = view;
        }}
      />
      <section role="tabpanel" id={id} aria-labelledby={tabId(id, chosen.value)} class="stack">
        {Content && <Content />}
      </section>
    </>
  );
}
