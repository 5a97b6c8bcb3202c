import { cosTurns, sinTurns } from '../../algebra/trigonometry.ts';
import { createFigure } from '../../shapes/figure.ts';
import { checkOption } from '../../shapes/shape.ts';
import {
  createSoftBody,
  createSoftScene,
  createSoftShape,
  readSceneOptions,
  type SoftBody,
  type SoftScene,
  type SoftSceneOptions,
} from './soft-scene.ts';

export interface HangingOptions extends SoftSceneOptions {
  /** How far the ring turns to each side, in turns. Default: 0.25. */
  swing?: number;
}

const PERIOD = 2.4; // seconds of one swing to and fro
const HELD_ABOVE = 0.8; // nodes of the head that hang on the ring
const SPACING = 1.55; // between neighbours: less than their arms reach

/**
 * Dolls that hang from a ring by their heads. The ring turns to and fro, so they fly outwards, twist and bump into
 * their neighbours (after the hanging figures of Steinemann et al. 2007). Defaults: 6 of about 7500 vertices and
 * 115 nodes.
 */
export function createHangingScene(options: HangingOptions = {}): SoftScene {
  const checked = readSceneOptions(options, { count: 6, triangles: 15_000, nodes: 115 });
  const { count, triangles, seed, room } = checked;
  const { swing = 0.25 } = options;
  checkOption('swing', swing, 0, 10);
  const figure = createFigure({ triangles, seed });
  const shape = createSoftShape(figure, checked, { stiffness: 1500, poissonRatio: 0.35 });
  const radius = room * (count > 1 ? SPACING / (2 * sinTurns(1 / (2 * count))) : SPACING);
  const bodies = Array.from({ length: count }, (_, i) => {
    const contactRadius = 0.75 * shape.model.spacing; // limbs have one row of nodes: their own radius
    const body = createSoftBody(shape, matrixAt(i / count, radius), {
      damping: 0.3,
      iterations: 6,
      contactRadius,
    });
    for (let node = 0; node < shape.model.nodeCount; node++) {
      if (shape.model.positions[3 * node + 1] > HELD_ABOVE) body.elastic.pin(node);
    }
    return body;
  });
  return createSoftScene('hanging', bodies, checked, (time) => {
    const turned = swing * sinTurns(time / PERIOD);
    for (let i = 0; i < count; i++) movePins(bodies[i], matrixAt(i / count + turned, radius));
  });
}

/** On the ring, looking outwards. */
function matrixAt(turns: number, radius: number): number[] {
  const c = cosTurns(turns),
    s = sinTurns(turns);
  return [c, 0, s, radius * s, 0, 1, 0, 0, -s, 0, c, radius * c];
}

function movePins({ elastic }: SoftBody, m: readonly number[]): void {
  const { positions: p } = elastic.model;
  for (let node = 0, o = 0; node < elastic.nodeCount; node++, o += 3) {
    if (!elastic.isPinned(node)) continue;
    elastic.movePin(
      node,
      m[0] * p[o] + m[1] * p[o + 1] + m[2] * p[o + 2] + m[3],
      m[4] * p[o] + m[5] * p[o + 1] + m[6] * p[o + 2] + m[7],
      m[8] * p[o] + m[9] * p[o + 1] + m[10] * p[o + 2] + m[11],
    );
  }
}
