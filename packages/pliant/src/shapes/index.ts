export { type BumpyBallOptions, createBumpyBall } from './bumpy-ball.ts';
export { type ClothOptions, createCloth } from './cloth.ts';
export type { MotionOptions, Shape, ShapeSource } from './shape.ts';
export { createSpring, type SpringOptions } from './spring.ts';
export { type Subdivision, subdivide } from './subdivide.ts';
export { createTentacleBall, type TentacleBallOptions } from './tentacle-ball.ts';
export { createTorusKnot, type TorusKnotOptions } from './torus-knot.ts';
