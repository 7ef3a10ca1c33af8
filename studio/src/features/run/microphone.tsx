import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { ValueMetadata } from 'sardonyx';
import { report } from '../../store/notices.js';
import { inputs, setInput } from '../../store/session.js';
import { NumberField } from '../../ui/number-field.js';
import { SPEECH_RATE, samplesOf } from './samples-of.js';

/** Records between two clicks, at a sample rate. */
export function Microphone({ input: { name } }: { input: ValueMetadata }) {
  const recording = useSignal<Recording | null>(null);
  const rate = useSignal(SPEECH_RATE);
  const choice = inputs.value.get(name);
  /** Whether the microphone is being opened or closed, which cannot overlap. */
  const isBusy = useSignal(false);
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
      void recording.peek()?.stop();
    },
    [],
  );
  const toggle = async () => {
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      const begun = recording.value;
      recording.value = begun ? null : await record();
      if (isLeft.current) void recording.value?.stop();
      if (begun) setInput(name, { kind: 'sound', samples: await samplesOf(await begun.stop(), rate.value) });
    } catch (error) {
      if (!isLeft.current) report('Cannot record audio', error);
    }
    isBusy.value = false;
  };
  return (
    <div class="row fields">
      <NumberField title="Sample rate (Hz)" of={rate} min={3000} max={384_000} />
      <button
        type="button"
        class="button"
        aria-pressed={recording.value !== null}
        aria-disabled={isBusy.value}
        onClick={() => void toggle()}
      >
        {recording.value ? 'Stop' : 'Record'}
      </button>
      {recording.value && <Passed />}
      {!recording.value && choice?.kind === 'sound' && (
        <span class="quiet">{(choice.samples.length / rate.value).toFixed(1)} s</span>
      )}
    </div>
  );
}

/** The duration of the recording. */
function Passed() {
  const seconds = useSignal(0);
  useEffect(() => {
    const begun = performance.now();
    const timer = setInterval(() => {
      seconds.value = (performance.now() - begun) / 1000;
    }, 100);
    return () => clearInterval(timer);
  }, []);
  return (
    <span class="quiet" role="timer">
      {seconds.value.toFixed(1)} s
    </span>
  );
}

interface Recording {
  stop(): Promise<Blob>;
}

async function record(): Promise<Recording> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  const ended = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve();
  });
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const begun = new Promise((resolve) => recorder.addEventListener('start', resolve, { once: true }));
  recorder.start();
  await begun;
  return {
    async stop() {
      recorder.stop();
      await ended;
      for (const track of stream.getTracks()) track.stop();
      return new Blob(parts, { type: recorder.mimeType });
    },
  };
}
