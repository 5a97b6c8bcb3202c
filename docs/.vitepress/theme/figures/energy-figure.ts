import type { Body } from 'pliant';
import type { EnergyCertificate } from 'pliant/cull';
import { defineComponent, h, reactive, ref } from 'vue';
import { prepareCanvas, readColours, renderFigure, renderSlider, useFigure } from './figure.ts';
import { bendStrip, COLUMNS, columnOf, createStrip } from './folding-strip.ts';

/** Triangles of the smallest patches that are shown. */
const SMALLEST = 32;
const CAPTION =
  'Above: a strip of 512 triangles, from the side; the line is drawn in the colour of the largest patch with a proof. Below: ' +
  'its tree, the whole strip on top, halves of halves further down. Teal patches are bent so little that they cannot touch ' +
  'themselves; grey ones are searched; red is what touches.';

/** A strip that is bent, and which parts of it the energy certificate proves free of contact. */
export const EnergyFigure = defineComponent({
  name: 'EnergyFigure',
  setup() {
    const bend = reactive({ degrees: 100, centre: 0.5, width: 0.3 });
    const answer = ref('');
    const pairs = ref(0);
    const isWholeProved = ref(true);
    const stripCanvas = ref<HTMLCanvasElement>();
    const treeCanvas = ref<HTMLCanvasElement>();
    const strip = createStrip();
    const pose = new Float64Array(strip.positions.length);
    const line = new Float64Array(2 * COLUMNS + 2);
    let body: Body | undefined;
    let certificate: EnergyCertificate | undefined;
    let find: typeof import('pliant').findSelfCollisions;

    const figure = useFigure(
      async (engine, { createTriangleMesh, findSelfCollisions }, { prepareEnergyCertificateAsync }) => {
        find = findSelfCollisions;
        const prepared = engine.createFreeBody(createTriangleMesh(strip), { split: 'connected' });
        certificate = await prepareEnergyCertificateAsync(prepared, {
          outlines: false,
          minTriangles: SMALLEST,
          maxTriangles: 512,
        });
        body = prepared;
      },
      () => redraw(),
    );

    function redraw() {
      if (body === undefined || certificate === undefined || !stripCanvas.value || !treeCanvas.value) return;
      bendStrip((bend.degrees * Math.PI) / 180, bend.centre, bend.width, pose, line);
      body.setPose(pose);
      certificate.begin(false);
      const report = find(body, { certificates: [] });
      const touching = new Uint8Array(COLUMNS);
      for (const triangle of report.pairs.subarray(0, 2 * report.pairCount)) touching[columnOf(triangle)] = 1;
      const largest = largestProofs(body, certificate);
      pairs.value = report.pairCount;
      isWholeProved.value = certificate.clears(0, 0);
      answer.value = tell(isWholeProved.value, largest, report.pairCount);
      const colours = readColours(stripCanvas.value);
      paintStrip(stripCanvas.value, colours, line, largest, touching);
      paintTree(treeCanvas.value, colours, body, certificate, touching);
    }

    function change(part: Partial<typeof bend>) {
      Object.assign(bend, part);
      redraw();
    }

    return () =>
      renderFigure(
        'energy',
        figure,
        () => [
          h('canvas', {
            ref: stripCanvas,
            class: 'figure-strip',
            role: 'img',
            'aria-label': 'A bent strip from the side',
          }),
          h('canvas', {
            ref: treeCanvas,
            class: 'figure-tree',
            role: 'img',
            'aria-label': 'Its tree of patches',
          }),
          renderSlider('bent by', bend.degrees, [0, 720, 5], `${bend.degrees}°`, (degrees) =>
            change({ degrees }),
          ),
          renderSlider(
            'around',
            bend.centre,
            [0.1, 0.9, 0.01],
            `${Math.round(100 * bend.centre)} %`,
            (centre) => change({ centre }),
          ),
          renderSlider(
            'spread over',
            bend.width,
            [0.03, 0.6, 0.01],
            `${Math.round(100 * bend.width)} %`,
            (width) => change({ width }),
          ),
          h(
            'p',
            {
              class: 'figure-answer',
              'aria-live': 'polite',
              'data-pairs': pairs.value,
              'data-proved': String(isWholeProved.value),
            },
            answer.value,
          ),
        ],
        CAPTION,
      );
  },
});

type Colours = ReturnType<typeof readColours>;

/** Per column: the triangles of the largest patch around it that has a proof; 0 where there is none. */
function largestProofs({ tree }: Body, certificate: EnergyCertificate): Uint32Array {
  const { link, firstSlot, slotCount, order } = tree;
  const largest = new Uint32Array(COLUMNS);
  const nodes = [0];
  while (nodes.length > 0) {
    const node = nodes.pop()!;
    if (certificate.clears(node, node)) {
      for (let s = firstSlot[node]; s < firstSlot[node] + slotCount[node]; s++) {
        const column = columnOf(order[s]);
        largest[column] = Math.max(largest[column], slotCount[node]);
      }
    } else if (slotCount[node] > SMALLEST) nodes.push(link[node], link[node] + 1);
  }
  return largest;
}

function paintStrip(
  canvas: HTMLCanvasElement,
  colours: Colours,
  line: Float64Array,
  largest: Uint32Array,
  touching: Uint8Array,
): void {
  const { context, width, height } = prepareCanvas(canvas);
  const [x0, y0, x1, y1] = boxOf(line);
  const scale = Math.min(
    (width - 40) / Math.max(x1 - x0, 0.15),
    (height - 40) / Math.max(y1 - y0, 0.15),
    0.95 * width,
  );
  const left = (k: number) => width / 2 + scale * (line[2 * k] - (x0 + x1) / 2),
    top = (k: number) => height / 2 - scale * (line[2 * k + 1] - (y0 + y1) / 2);
  context.lineCap = 'round';
  for (let k = 0; k < COLUMNS; k++) {
    context.beginPath();
    context.moveTo(left(k), top(k));
    context.lineTo(left(k + 1), top(k + 1));
    context.lineWidth = touching[k] ? 5 : 4;
    context.strokeStyle = touching[k] ? colours.touching : shadeOf(largest[k], colours);
    context.stroke();
  }
}

function paintTree(
  canvas: HTMLCanvasElement,
  colours: Colours,
  { tree }: Body,
  certificate: EnergyCertificate,
  touching: Uint8Array,
): void {
  const { context, width, height } = prepareCanvas(canvas);
  const rows = Math.log2(512 / SMALLEST) + 1;
  for (let level = 0; level < rows; level++) {
    const top = (height * level) / rows;
    for (let node = tree.levelStart[level]; node < tree.levelStart[level + 1]; node++) {
      const first = tree.firstSlot[node],
        end = first + tree.slotCount[node];
      let middle = 0,
        isTouching = false;
      for (let s = first; s < end; s++) {
        const column = columnOf(tree.order[s]);
        middle += (column + 0.5) / COLUMNS / (end - first);
        isTouching ||= level === rows - 1 && touching[column] === 1;
      }
      const share = (end - first) / tree.order.length;
      context.fillStyle = certificate.clears(node, node)
        ? shadeOf(tree.slotCount[node], colours)
        : colours.open;
      if (isTouching) context.fillStyle = colours.touching;
      context.fillRect((middle - share / 2) * width + 1, top + 1, share * width - 2, height / rows - 2);
    }
  }
}

function shadeOf(triangles: number, { proved, open }: Colours): string {
  if (triangles === 0) return open;
  const share = 45 + (55 * Math.log2(triangles / SMALLEST)) / 4;
  return `color-mix(in srgb, ${proved} ${Math.round(Math.min(100, share))}%, ${open})`;
}

function boxOf(line: Float64Array): [number, number, number, number] {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = 0; k < line.length; k += 2) {
    x0 = Math.min(x0, line[k]);
    x1 = Math.max(x1, line[k]);
    y0 = Math.min(y0, line[k + 1]);
    y1 = Math.max(y1, line[k + 1]);
  }
  return [x0, y0, x1, y1];
}

function tell(isWhole: boolean, largest: Uint32Array, pairCount: number): string {
  const found = pairCount === 0 ? 'nothing touches' : `${pairCount} pairs of triangles touch`;
  if (isWhole)
    return 'The whole strip is proved free of contact: it takes more bending to make it touch itself.';
  const sizes = largest.filter((size) => size > 0);
  if (sizes.length === 0) return `No patch has a proof; all is searched: ${found}.`;
  const range = `patches of up to ${sizes.reduce((a, b) => Math.max(a, b))} triangles have a proof`;
  return `Too much is bent for a proof of the whole, but ${range}. Only between patches is it searched: ${found}.`;
}
