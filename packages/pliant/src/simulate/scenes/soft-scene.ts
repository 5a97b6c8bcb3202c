import type { Meshless, MeshlessPose } from '../../deform/meshless.ts';
import { checkObject } from '../../mesh/check-input.ts';
import { InputError } from '../../mesh/input-error.ts';
import { createTriangleMesh, type TriangleMesh } from '../../mesh/triangle-mesh.ts';
import { checkOption, checkSeed, type Shape } from '../../shapes/shape.ts';
import { ElasticBody, type ElasticBodyOptions } from '../elastic-body.ts';
import { ElasticModel, type ElasticOptions } from '../elastic-model.ts';
import { NodeContacts } from '../node-contacts.ts';
import { NODE_LIMIT, sampleNodes } from '../sample-nodes.ts';
import { createSurfaceWeights } from '../surface-weights.ts';

/** Soft bodies that move and bump into each other; equal options give equal motions, bit by bit. */
export interface SoftScene {
  readonly name: string;
  readonly bodies: readonly SoftBody[];
  /** Seconds since the start. */
  readonly time: number;
  /** Advances by `seconds`; the same length each time is fastest. The poses of the bodies change in place. */
  step(seconds: number): void;
}

/** One body of a scene: what `engine.createMeshlessBody` wants, and the pose for `setPose` after each step. */
export interface SoftBody {
  readonly mesh: TriangleMesh;
  readonly meshless: Meshless;
  readonly pose: MeshlessPose;
  readonly elastic: ElasticBody;
}

/** What the scenes have in common. */
export interface SoftSceneOptions {
  /** How many bodies. */
  count?: number;
  /** About how many triangles each has. */
  triangles?: number;
  /** How many nodes carry each. */
  nodes?: number;
  /** How many nodes carry a vertex at most. Default: 8. */
  influences?: number;
  /** Shapes and places. Default: 1. */
  seed?: number;
  /** How much room they have to keep apart, along each axis; 2 is twice as much as usual. Default: 1. */
  room?: number;
  /** Into how many parts a step is cut: more keep bodies that bump into each other further apart. Default: 1. */
  substeps?: number;
}

/** The options with a scene's own defaults, checked. */
export function readSceneOptions(
  options: SoftSceneOptions,
  defaults: { count: number; triangles: number; nodes: number },
): Required<SoftSceneOptions> {
  checkObject('options', options);
  const { count = defaults.count, triangles = defaults.triangles, nodes = defaults.nodes } = options;
  const { influences = 8, seed = 1, room = 1, substeps = 1 } = options;
  checkOption('count', count, 1, 1000);
  checkOption('room', room, 0.5, 100);
  checkOption('substeps', substeps, 1, 100);
  checkOption('nodes', nodes, 4, NODE_LIMIT);
  for (const [name, value] of Object.entries({ count, nodes, substeps })) {
    if (Number.isInteger(value)) continue;
    throw new InputError('bad-option', `${name} must be a whole number, not ${value}`);
  }
  checkSeed(seed);
  return { count, triangles, nodes, influences, seed, room, substeps };
}

/** A shape with nodes in it; bodies made from one share mesh, weights and model. */
export interface SoftShape {
  readonly mesh: TriangleMesh;
  readonly meshless: Meshless;
  readonly model: ElasticModel;
}

export function createSoftShape(
  { source }: Shape,
  { nodes, influences, seed }: Required<SoftSceneOptions>,
  material: ElasticOptions,
): SoftShape {
  const mesh = createTriangleMesh(source);
  const sample = sampleNodes(mesh, { count: nodes, seed });
  const meshless = createSurfaceWeights(mesh, sample.positions, { influences });
  return { mesh, meshless, model: new ElasticModel(sample, material) };
}

/** A body of this shape, moved from rest by a row-major 3×4 matrix. */
export function createSoftBody(
  { mesh, meshless, model }: SoftShape,
  matrix: ArrayLike<number>,
  options: ElasticBodyOptions,
): SoftBody {
  const elastic = new ElasticBody(model, options);
  elastic.place(matrix);
  return { mesh, meshless, pose: elastic.pose, elastic };
}

/** `drive` moves pins and applies forces for the part of a step that ends at `time`. */
export function createSoftScene(
  name: string,
  bodies: readonly SoftBody[],
  { substeps }: Required<SoftSceneOptions>,
  drive: (time: number, seconds: number) => void,
): SoftScene {
  const contacts = new NodeContacts(bodies.map(({ elastic }) => elastic));
  let time = 0;
  return {
    name,
    bodies,
    get time() {
      return time;
    },
    step(seconds) {
      checkOption('seconds', seconds, 1e-9, 1);
      const part = seconds / substeps;
      for (let k = 0; k < substeps; k++) {
        time += part;
        drive(time, part);
        contacts.separate(part);
        for (const { elastic } of bodies) elastic.step(part);
      }
    },
  };
}
