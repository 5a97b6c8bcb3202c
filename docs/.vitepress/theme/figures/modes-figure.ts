import type { Body } from 'pliant';
import type { GaugeKind, SubspaceCertificate } from 'pliant/cull';
import { defineComponent, h, reactive, ref } from 'vue';
import { prepareCanvas, readColours, renderFigure, renderSlider, useFigure } from './figure.ts';
import { createOpenRing } from './open-ring.ts';
import { MeshPainter } from './paint-mesh.ts';
import { PoseMap } from './pose-map.ts';

const RANGE = { closing: [-0.5, 1, 0.005], sideways: [-0.75, 0.75, 0.005] } as const;
const GAUGES: readonly [GaugeKind, string][] = [
  ['ball', 'any weights'],
  ['one-sided', 'none below 0'],
  ['box', 'none below 0, the largest counts'],
];
const CAPTION =
  'Left: the ring in the pose of the cross. Teal parts are proved free of contact, grey ones are searched, red triangles ' +
  'touch. Right: all poses. Every red dot is a query that found a contact; the teal line is the limit of the certificate. Drag.';

/** A ring with two modes: the map of its poses, the limit of its certificate, and what is proved in one of them. */
export const ModesFigure = defineComponent({
  name: 'ModesFigure',
  setup() {
    const pose = reactive({ closing: 0.2, sideways: 0.1 });
    const gauge = ref<GaugeKind>('ball');
    const answer = ref('');
    const pairs = ref(0);
    const picture = ref<HTMLCanvasElement>();
    const mapCanvas = ref<HTMLCanvasElement>();
    const ring = createOpenRing();
    const painter = new MeshPainter(ring.triangles, ring.positions.length / 3);
    const certificates = new Map<GaugeKind, SubspaceCertificate>();
    const map = new PoseMap(RANGE.closing, RANGE.sideways, () => redraw());
    let body: Body | undefined;
    let find: typeof import('pliant').findSelfCollisions;

    const figure = useFigure(
      async (engine, { createTriangleMesh, findAnySelfCollision, findSelfCollisions }, cull) => {
        find = findSelfCollisions;
        const mesh = createTriangleMesh(ring);
        body = engine.createModalBody(mesh, ring.modes);
        for (const [kind] of GAUGES) {
          certificates.set(
            kind,
            await cull.prepareSubspaceCertificateAsync(body, { gauge: kind, reach: 1.5 }),
          );
        }
        const explorer = engine.createModalBody(mesh, ring.modes);
        const proof = certificates.get('ball')!.forBody(explorer);
        map.explore((x, y) => {
          explorer.setPose([x, y]);
          return findAnySelfCollision(explorer, { certificates: [proof] }) !== undefined;
        });
      },
      () => redraw(),
      () => map.stop(),
    );

    function redraw() {
      if (body === undefined || !picture.value || !mapCanvas.value) return;
      const certificate = certificates.get(gauge.value)!;
      body.setPose([pose.closing, pose.sideways]);
      const report = find(body, { certificates: [certificate] });
      const colours = readColours(picture.value);
      const { shown, proved } = colourTriangles(body, certificate, colours);
      for (const triangle of report.pairs.subarray(0, 2 * report.pairCount))
        shown[triangle] = colours.touching;
      pairs.value = report.pairCount;
      answer.value = tell(certificate, report.pairCount, report.counters.trianglePairsTested, proved);

      const { context, width, height } = prepareCanvas(picture.value);
      painter.paint(context, [width, height], body.getLocalPositions(), shown, 3.1);
      map.paint(mapCanvas.value, colours, gauge.value, certificate.balls[0].lower[0], pose);
    }

    function goTo(closing: number, sideways: number) {
      pose.closing = clamp(closing, RANGE.closing);
      pose.sideways = clamp(sideways, RANGE.sideways);
      redraw();
    }

    /** Along the direction of the pose, to just within what is proved of the whole. */
    function goToLimit() {
      const { closing, sideways } = pose;
      const certificate = certificates.get(gauge.value)!;
      body!.setPose([closing, sideways]);
      const now = certificate.gaugeOfPose();
      const scale = now > 0 ? (0.999 * certificate.balls[0].lower[0]) / now : 0;
      if (scale > 0) goTo(closing * scale, sideways * scale);
      else goTo(certificate.balls[0].lower[0] * 0.999, 0);
    }

    function goToContact() {
      const [closing, sideways] = certificates.get(gauge.value)!.findContactPose() ?? [0, 0];
      goTo(closing * 1.01, sideways * 1.01);
    }

    function drag(event: PointerEvent) {
      if (event.type === 'pointerdown') (event.target as Element).setPointerCapture(event.pointerId);
      if (event.buttons === 0) return;
      goTo(...map.poseAt(event));
    }

    function choose(kind: GaugeKind) {
      gauge.value = kind;
      redraw();
    }

    return () =>
      renderFigure(
        'modes',
        figure,
        () => [
          h('div', { class: 'figure-pictures' }, [
            h('canvas', { ref: picture, role: 'img', 'aria-label': 'A ring with a gap' }),
            h('canvas', {
              ref: mapCanvas,
              class: 'figure-map',
              role: 'img',
              'aria-label': 'Map of poses; use the sliders to move',
              onPointerdown: drag,
              onPointermove: drag,
            }),
          ]),
          renderSlider('closes', pose.closing, RANGE.closing, pose.closing.toFixed(3), (x) =>
            goTo(x, pose.sideways),
          ),
          renderSlider('goes sideways', pose.sideways, RANGE.sideways, pose.sideways.toFixed(3), (y) =>
            goTo(pose.closing, y),
          ),
          h('div', { class: 'figure-buttons' }, [
            ...GAUGES.map(([kind, text]) =>
              h(
                'button',
                { type: 'button', 'aria-pressed': gauge.value === kind, onClick: () => choose(kind) },
                text,
              ),
            ),
            h('button', { type: 'button', 'data-action': 'limit', onClick: goToLimit }, 'To the limit'),
            h(
              'button',
              { type: 'button', 'data-action': 'contact', onClick: goToContact },
              'To the first contact',
            ),
          ]),
          h('p', { class: 'figure-answer', 'aria-live': 'polite', 'data-pairs': pairs.value }, answer.value),
        ],
        CAPTION,
      );
  },
});

/** Triangles below nodes that the certificate clears, and their share. */
function colourTriangles(
  { tree }: Body,
  certificate: SubspaceCertificate,
  colours: { proved: string; open: string },
): { shown: string[]; proved: number } {
  const { link, firstSlot, slotCount, order } = tree;
  const shown = new Array<string>(order.length).fill(colours.open);
  const nodes = [0];
  let proved = 0;
  certificate.begin(false);
  while (nodes.length > 0) {
    const node = nodes.pop()!;
    if (certificate.clears(node, node)) {
      proved += slotCount[node];
      const shade = node === 0 ? colours.proved : shadeOf(node, colours);
      for (let s = firstSlot[node]; s < firstSlot[node] + slotCount[node]; s++) shown[order[s]] = shade;
    } else if (slotCount[node] > 1) nodes.push(link[node], link[node] + 1);
  }
  return { shown, proved: proved / order.length };
}

/** Parts that lie side by side look different. */
function shadeOf(node: number, { proved, open }: { proved: string; open: string }): string {
  return `color-mix(in srgb, ${proved} ${node % 2 === 0 ? 80 : 55}%, ${open})`;
}

function tell(certificate: SubspaceCertificate, pairCount: number, tests: number, proved: number): string {
  const radius = certificate.balls[0].lower[0];
  const length = certificate.gaugeOfPose();
  const found = pairCount === 0 ? 'no contact' : `${pairCount} touch`;
  if (Number.isNaN(length))
    return `A weight is negative: this certificate says nothing. All is searched: ${found}.`;
  const compared = `The pose measures ${length.toFixed(3)}, the limit is ${radius.toFixed(3)}.`;
  if (length < radius) return `${compared} One comparison proves all 820 triangles free of contact.`;
  const share = `Parts with a proof of their own have ${(100 * proved).toFixed(0)} % of the triangles`;
  return `${compared} ${share}; between them ${tests} pairs were tested: ${found}.`;
}

function clamp(value: number, [least, most]: readonly [number, number, number]): number {
  return Math.min(most, Math.max(least, value));
}
