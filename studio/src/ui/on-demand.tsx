import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';

/** A component whose code is loaded when it is first shown. */
export function onDemand(load: () => Promise<{ readonly default: ComponentType }>): ComponentType {
  let loading: ReturnType<typeof load> | undefined;
  return function OnDemand() {
    const loaded = useSignal<{ readonly Content: ComponentType } | undefined>(undefined);
    useEffect(() => {
      loading ??= load();
      void loading.then(({ default: Content }) => {
        loaded.value = { Content };
      });
    }, []);
    const Content = loaded.value?.Content;
    return Content ? <Content /> : null;
  };
}
