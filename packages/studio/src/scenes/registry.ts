import { clatteringSpring } from './clattering-spring.ts';
import { crowd } from './crowd.ts';
import { dragon } from './dragon.ts';
import { earDrop } from './ear-drop.ts';
import { face } from './face.ts';
import { fish } from './fish.ts';
import { flag } from './flag.ts';
import { hanging } from './hanging.ts';
import { inspector } from './inspector.ts';
import type { SceneDefinition } from './scene.ts';
import { squishyBall } from './squishy-ball.ts';
import { twoWalkers } from './two-walkers.ts';

/** The gallery, in its order. The first one is shown to newcomers. */
export const SCENES: readonly SceneDefinition[] = [
  twoWalkers,
  crowd,
  hanging,
  fish,
  earDrop,
  clatteringSpring,
  dragon,
  face,
  squishyBall,
  flag,
  inspector,
];

export function findScene(id: string): SceneDefinition {
  const found = SCENES.find((scene) => scene.id === id);
  if (found !== undefined) return found;
  throw new Error(`there is no scene "${id}"; there are ${SCENES.map((s) => s.id).join(', ')}`);
}
