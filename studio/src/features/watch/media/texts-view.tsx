import { signal, useSignal, useSignalEffect } from '@preact/signals';
import { Check } from '../../../ui/check.js';
import type { Moment } from '../../../workers/contracts/logs.js';
import { logs } from '../logs.js';
import { nameOf, overview, tagsOf } from '../state.js';
import { Markdown } from './markdown.js';
import { type Of, Title } from './media-views.js';

/** Whether texts are shown as source. */
const isSource = signal(false);

export default function TextsView() {
  return (
    <>
      <Check
        title="Show Markdown source"
        value={isSource.value}
        onChange={(value) => {
          isSource.value = value;
        }}
      />
      {tagsOf(['text']).flatMap(({ tag, runs }) =>
        runs.map((run) => <Texts key={`${run} ${tag}`} run={run} tag={tag} />),
      )}
    </>
  );
}

type Text = Moment & { readonly texts: readonly string[] };

function Texts({ run, tag }: Of) {
  const found = useSignal<readonly Text[]>([]);
  useSignalEffect(() => {
    void overview.value;
    void logs.texts(run, tag).then((texts) => {
      found.value = texts;
    });
  });
  return (
    <figure class="chart" aria-label={`${tag}, ${nameOf(run)}`}>
      <Title run={run} tag={tag} />
      {found.value.map(({ step, texts }, i) => (
        <div key={i}>
          <p class="quiet">Step {step}</p>
          {texts.map((text) =>
            isSource.value ? (
              <pre key={text} class="logged">
                {text}
              </pre>
            ) : (
              <Markdown key={text} text={text} />
            ),
          )}
        </div>
      ))}
    </figure>
  );
}
