import type { Engine } from 'pliant';
import { h, onBeforeUnmount, onMounted, type Ref, ref, type VNode } from 'vue';

/** What a figure shows instead of itself until it can be used, or if it never can. */
export interface FigureState {
  readonly message: Ref<string>;
  readonly isReady: Ref<boolean>;
  /** True where WebAssembly is missing, and TypeScript does the same work. */
  readonly isSlow: Ref<boolean>;
}

/** Opens the library in the page once it is on the screen; `open` prepares the figure, `redraw` paints it. */
export function useFigure(
  open: (
    engine: Engine,
    library: typeof import('pliant'),
    cull: typeof import('pliant/cull'),
  ) => Promise<void>,
  redraw: () => void,
  close: () => void = () => {},
): FigureState {
  const message = ref('This figure computes in your browser; it needs JavaScript.');
  const isReady = ref(false);
  const isSlow = ref(false);
  let engine: Engine | undefined;
  let isGone = false;
  const themes = typeof MutationObserver === 'undefined' ? undefined : new MutationObserver(() => redraw());

  onMounted(async () => {
    message.value = 'Preparing the figure …';
    window.addEventListener('resize', redraw);
    themes?.observe(document.documentElement, { attributes: true, attributeFilter: ['class'] });
    try {
      const [library, cull] = await Promise.all([import('pliant'), import('pliant/cull')]);
      engine = await library.createEngine();
      isSlow.value = engine.kernels.name !== 'wasm';
      await open(engine, library, cull);
      if (isGone) return;
      isReady.value = true;
      requestAnimationFrame(redraw);
    } catch (error) {
      message.value = `This figure cannot run here: ${error instanceof Error ? error.message : error}`;
    }
  });
  onBeforeUnmount(() => {
    isGone = true;
    window.removeEventListener('resize', redraw);
    themes?.disconnect();
    close();
    engine?.dispose();
  });
  return { message, isReady, isSlow };
}

/** The frame around every figure. */
export function renderFigure(
  name: string,
  { message, isReady, isSlow }: FigureState,
  content: () => VNode[],
  caption: string,
): VNode {
  const inside = isReady.value
    ? content()
    : [h('p', { class: 'figure-message', role: 'status' }, message.value)];
  const slow =
    'WebAssembly is not available here: the same queries run in TypeScript, with the same answers.';
  return h('figure', { class: 'live-figure', 'data-figure': name, 'data-ready': String(isReady.value) }, [
    ...inside,
    isSlow.value ? h('p', { class: 'figure-message' }, slow) : undefined,
    h('figcaption', caption),
  ]);
}

/** A labelled slider. */
export function renderSlider(
  label: string,
  value: number,
  [least, most, step]: readonly [number, number, number],
  shown: string,
  onInput: (value: number) => void,
): VNode {
  return h('label', { class: 'figure-slider' }, [
    h('span', label),
    h('input', {
      type: 'range',
      min: least,
      max: most,
      step,
      value,
      'aria-valuetext': shown,
      onInput: (event: Event) => onInput(Number((event.target as HTMLInputElement).value)),
    }),
    h('output', shown),
  ]);
}

/** Makes the canvas as sharp as the screen; sizes are then in CSS pixels. */
export function prepareCanvas(canvas: HTMLCanvasElement): {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
} {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext('2d')!;
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

/** Colours of the page's style sheet, so that figures follow light and dark. */
export function readColours(
  element: Element,
): Record<'text' | 'line' | 'proved' | 'open' | 'touching' | 'soft', string> {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(`--figure-${name}`).trim();
  return {
    text: read('text'),
    line: read('line'),
    proved: read('proved'),
    open: read('open'),
    touching: read('touching'),
    soft: read('soft'),
  };
}
