import { useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { logs } from '../logs.js';
import { StepSlider, useMoments } from '../moments.js';
import { Swatch } from '../runs-list.js';
import { nameOf, tagsOf } from '../state.js';
import { useSeen } from '../use-seen.js';

export const ImagesView = () => (
  <div class="charts">
    {tagsOf(['image']).flatMap(({ tag, runs }) =>
      runs.map((run) => <Files key={`${run} ${tag}`} kind="image" run={run} tag={tag} />),
    )}
  </div>
);

export const SoundsView = () => (
  <div class="charts">
    {tagsOf(['audio']).flatMap(({ tag, runs }) =>
      runs.map((run) => <Files key={`${run} ${tag}`} kind="audio" run={run} tag={tag} />),
    )}
  </div>
);

export interface Of {
  readonly run: string;
  readonly tag: string;
}

export const Title = ({ run, tag }: Of) => (
  <figcaption>
    <h3>{tag}</h3>
    <span class="quiet">
      <Swatch run={run} /> {nameOf(run)}
    </span>
  </figcaption>
);

/** Pictures or sounds of one tag at one step. */
function Files({ kind, run, tag }: Of & { kind: 'image' | 'audio' }) {
  const figure = useRef<HTMLElement>(null);
  const isSeen = useSeen(figure);
  const moments = useMoments(kind, run, tag);
  const urls = useSignal<readonly string[]>([]);
  useSignalEffect(() => {
    const { at, list } = moments;
    if (!isSeen.value || list.value.length === 0) return;
    let made: readonly string[] = [];
    let isGone = false;
    void logs.files(kind, run, tag, at.value).then((files) => {
      if (isGone) return;
      made = files.map((file) => URL.createObjectURL(file));
      urls.value = made;
    });
    return () => {
      isGone = true;
      for (const url of made) URL.revokeObjectURL(url);
    };
  });
  const step = moments.list.value[moments.at.value]?.step ?? 0;
  return (
    <figure class="chart" ref={figure} aria-label={`${tag}, ${nameOf(run)}`}>
      <Title run={run} tag={tag} />
      <div class="row media">
        {urls.value.map((url) =>
          kind === 'image' ? (
            <img key={url} src={url} alt={`${tag} at step ${step}`} />
          ) : (
            // biome-ignore lint/a11y/useMediaCaption: nobody has written down what a logged sound says
            <audio key={url} src={url} controls aria-label={`${tag} at step ${step}`} />
          ),
        )}
      </div>
      <StepSlider {...moments} title={tag} />
    </figure>
  );
}
