export interface Step {
  readonly title: string;
  readonly text: string;
  /** The tool that opens with it; null closes the one that is open. */
  readonly panel: string | null;
  /** Brings the tool to where the text is about. */
  readonly prepare?: () => Promise<void>;
}

/** The pad in place of random numbers, and a run at each stroke. */
async function letDraw(): Promise<void> {
  const { isLive, labels, ways } = await import('../../features/run/state.js');
  ways.value = new Map([['image', 'draw']]);
  labels.value = Array.from('0123456789');
  isLive.value = true;
}

/** What people see in two minutes, on the digits network that the page carries. */
export const STEPS: readonly Step[] = [
  {
    title: 'A model',
    text: 'This network tells handwritten digits apart. Nodes are operators, edges are tensors with their types and shapes; drag to move, scroll to zoom, click a node for all that is known of it.',
    panel: 'model',
  },
  {
    title: 'Run it',
    text: 'Draw a digit and watch the answer change. Any model takes pictures, arrays, the camera, sound, or generated values.',
    panel: 'run',
    prepare: letDraw,
  },
  {
    title: 'Where the time goes',
    text: 'A profile colours the graph by time, work or bytes, and shows threads, the memory plan and each operator. Every row leads to its node.',
    panel: 'measure',
  },
  {
    title: 'Look inside',
    text: 'Every tensor of a run can be opened: as numbers, a picture, a histogram. The first that is not a number is marked.',
    panel: 'understand',
  },
  {
    title: 'Make it smaller',
    text: 'Quantise with samples of your own: the page says what it saves, what it costs, and which layer pays.',
    panel: 'quantize',
  },
  {
    title: 'Your turn',
    text: 'Drop a model, a folder of the Model Zoo or a training log anywhere on the page. It works without a network, and nothing leaves it.',
    panel: null,
  },
];
