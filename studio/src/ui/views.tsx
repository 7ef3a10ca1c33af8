import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { Tabs, tabId } from './tabs.js';

interface Props {
  /** The accessible name of the tab list. */
  readonly label: string;
  /** The id of the panel that the tabs control. */
  readonly id: string;
  /** The first one is shown initially. */
  readonly views: readonly View[];
}

export interface View {
  readonly id: string;
  readonly title: string;
  readonly Content: ComponentType;
}

/** Tabs with the selected view. */
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
